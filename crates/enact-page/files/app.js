// The page: which screen an address is, the frame around it, and the sign-in where the server needs a token.

import "./screens/home.js";
import "./screens/new_scene.js";
import "./screens/edit.js";
import "./screens/run.js";
import "./screens/chorus.js";
import "./screens/episodes.js";
import "./screens/fields.js";
import "./screens/costs.js";
import { icon } from "./components/icon.js";
import { lookForGuests, signInForm } from "./components/sign_in.js";
import { needsToken, signOut, token } from "./lib/api.js";
import { html, repeat } from "./lib/html.js";
import { interceptLinks, place } from "./lib/router.js";
import { effect } from "./lib/signal.js";
import { match } from "./lib/router_match.js";
import { toggleTheme } from "./lib/theme.js";
import { View } from "./lib/view.js";

/** Each screen: its address, what it draws, and what it is called. They are the server's own routes of the page. */
const SCREENS = [
  { path: "/", name: "Runs", draw: () => html`<enact-home></enact-home>` },
  { path: "/new", name: "New scene", draw: () => html`<enact-new-scene></enact-new-scene>` },
  { path: "/edit", name: "Edit", draw: () => html`<enact-edit></enact-edit>` },
  { path: "/runs/{id}", name: "Run", draw: (/** @type {any} */ { id }) => html`<enact-run .run=${id}></enact-run>` },
  { path: "/chorus", name: "Chorus", draw: () => html`<enact-chorus></enact-chorus>` },
  { path: "/episodes", name: "Episodes", draw: () => html`<enact-episodes></enact-episodes>` },
  { path: "/episodes/{slug}", name: "Episode", draw: (/** @type {any} */ { slug }) => html`<enact-landing .slug=${slug}></enact-landing>` },
  { path: "/series/{name}", name: "Series", draw: (/** @type {any} */ { name }) => html`<enact-series .name=${name}></enact-series>` },
  { path: "/fields", name: "Fields", draw: () => html`<enact-fields></enact-fields>` },
  { path: "/costs", name: "Costs", draw: () => html`<enact-costs></enact-costs>` },
];

/** What stands above every screen; `has` are the addresses that belong to it as well. @type {{ path: string, name: string, has?: string[] }[]} */
const LINKS = [
  { path: "/", name: "Runs", has: ["/runs/"] },
  { path: "/new", name: "Scene", has: ["/edit"] },
  { path: "/chorus", name: "Chorus" },
  { path: "/episodes", name: "Episodes", has: ["/episodes/", "/series/"] },
  { path: "/fields", name: "Fields" },
  { path: "/costs", name: "Costs" },
];

class App extends View {
  /** The address that the title is of: what it shows may have given itself another since. */
  #titled = "";

  connected() {
    interceptLinks();
    // What one address needs a token for, another may show to guests.
    this.cleanup(effect(() => {
      place.value;
      needsToken.value = false;
    }));
    this.cleanup(effect(() => {
      if (!needsToken.value) return;
      lookForGuests();
      requestAnimationFrame(() => requestAnimationFrame(() => /** @type {HTMLElement | null} */ (this.querySelector(".sign-in input"))?.focus()));
    }));
    this.listen(document, "pointerdown", ({ target }) => {
      for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.removeAttribute("open");
    });
  }

  view() {
    const { path, query } = place.value;
    if (query.has("kiosk")) return html`<main id="main" class="kiosk">${this.#screen(path)}</main>`;
    return html`
      <a class="skip" href="#main">Skip to content</a>
      <header class="frame">
        <a class="brand" href="/" aria-label="enact: all runs"><img src="/page/icon.svg" alt="" width="24" height="24" /><span>enact</span></a>
        <nav aria-label="Screens">
          ${LINKS.map((link) => html`<a href=${link.path} aria-current=${current(link, path)}>${link.name}</a>`)}
        </nav>
        <button type="button" class="icon-button theme" aria-label="Light or dark" @click=${toggleTheme}>${icon("sun")}${icon("moon")}</button>
        ${token.value && !needsToken.value ? html`<button type="button" class="button quiet" @click=${signOut}>Sign out</button>` : null}
      </header>
      <main id="main" tabindex="-1">${needsToken.value ? signInForm() : this.#screen(path)}</main>`;
  }

  /** @param {string} path */
  #screen(path) {
    for (const screen of SCREENS) {
      const found = match(screen.path, path);
      if (!found) continue;
      if (this.#titled !== path) document.title = `${screen.name} · enact`;
      this.#titled = path;
      // Another address is another screen, and begins anew: the key is the whole path.
      return repeat([{ path, draw: () => screen.draw(found) }], (one) => one.path, (one) => one.draw());
    }
    return html`<div class="state"><p class="state-title">There is no such page.</p><a class="button" href="/">All runs</a></div>`;
  }
}

/** @param {{ path: string, has?: string[] }} link @param {string} path */
function current(link, path) {
  if (link.path === path) return "page";
  return link.has?.some((part) => path.startsWith(part)) ? "true" : null;
}

customElements.define("enact-app", App);
