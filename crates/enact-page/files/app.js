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
import { signInForm } from "./components/sign_in.js";
import { needsToken, signOut, token } from "./lib/api.js";
import { html, repeat } from "./lib/html.js";
import { interceptLinks, place } from "./lib/router.js";
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

const LINKS = [
  { path: "/", name: "Runs" },
  { path: "/new", name: "Scene" },
  { path: "/chorus", name: "Chorus" },
  { path: "/episodes", name: "Episodes" },
  { path: "/fields", name: "Fields" },
  { path: "/costs", name: "Costs" },
];

class App extends View {
  connected() {
    interceptLinks();
  }

  view() {
    const { path, query } = place.value;
    if (query.has("kiosk")) return html`<main id="main" class="kiosk">${this.#screen(path)}</main>`;
    return html`
      <a class="skip" href="#main">Skip to content</a>
      <header class="frame">
        <a class="brand" href="/" aria-label="enact: all runs"><img src="/page/icon.svg" alt="" width="24" height="24" /><span>enact</span></a>
        <nav aria-label="Screens">
          ${LINKS.map(({ path: to, name }) => html`<a href=${to} aria-current=${to === path ? "page" : null}>${name}</a>`)}
        </nav>
        <button type="button" class="icon-button theme" aria-label="Light or dark" @click=${toggleTheme}>${icon("sun")}${icon("moon")}</button>
        ${token.value ? html`<button type="button" class="button quiet" @click=${signOut}>Sign out</button>` : null}
      </header>
      <main id="main" tabindex="-1">${needsToken.value ? signInForm() : this.#screen(path)}</main>`;
  }

  /** @param {string} path */
  #screen(path) {
    for (const screen of SCREENS) {
      const found = match(screen.path, path);
      if (!found) continue;
      document.title = `${screen.name} · enact`;
      // Another address is another screen, and begins anew: the key is the whole path.
      return repeat([{ path, draw: () => screen.draw(found) }], (one) => one.path, (one) => one.draw());
    }
    return html`<div class="state"><p class="state-title">There is no such page.</p><a class="button" href="/">All runs</a></div>`;
  }
}

customElements.define("enact-app", App);
