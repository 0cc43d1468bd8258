// Episodes: those that can be played, and a landing page for each that makes the first move.

import { icon } from "../components/icon.js";
import { empty, failure, loading } from "../components/states.js";
import { get } from "../lib/api.js";
import { title } from "../lib/format.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { begin } from "./episode.js";

/** @typedef {{ slug: string, title: string, type: string, series: string | null, number: number | null, character: string, situation: string, completion_mode: string, turn_budget: number | null }} Offer */

class Episodes extends View {
  #episodes = signal(/** @type {Offer[] | null} */ (null));
  #error = signal(/** @type {Error | null} */ (null));

  connected() {
    this.#load();
  }

  async #load() {
    try {
      this.#episodes.value = (await get("/v1/episodes")).episodes;
      this.#error.value = null;
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  view() {
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    const episodes = this.#episodes.value;
    if (!episodes) return loading("Looking for episodes");
    if (!episodes.length) return empty("This project has no episodes.", html`<p>They are files in <code>episodes/</code> of the folder that enact serves.</p>`);
    return html`
      <h1>Episodes</h1>
      ${bySeries(episodes).map(([series, offers]) => html`
        <section class="series">
          <h2>${series ? title(series) : "Single episodes"}</h2>
          <ul class="offers">${offers.map((offer) => html`
            <li class="offer"><a href=${`/episodes/${offer.slug}`}><h3>${offer.title}</h3></a><p>${offer.situation}</p>
              <p class="hint">With ${title(offer.character)}${offer.turn_budget ? ` · about ${offer.turn_budget} turns` : ""}</p></li>`)}</ul>
        </section>`)}`;
  }
}

/** @param {Offer[]} episodes @returns {[string | null, Offer[]][]} */
function bySeries(episodes) {
  /** @type {Map<string | null, Offer[]>} */
  const groups = new Map();
  for (const offer of episodes) groups.set(offer.series, [...(groups.get(offer.series) ?? []), offer]);
  for (const offers of groups.values()) offers.sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
  return [...groups];
}

class Landing extends View {
  slug = "";
  #offers = signal(/** @type {Offer[] | null} */ (null));
  #error = signal(/** @type {Error | null} */ (null));
  #starting = signal(false);

  connected() {
    get("/v1/episodes").then(({ episodes }) => (this.#offers.value = episodes), (error) => (this.#error.value = error));
  }

  async #begin() {
    this.#starting.value = true;
    try {
      await begin(this.slug);
    } catch (error) {
      this.#starting.value = false;
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  view() {
    if (this.#error.value) return failure(this.#error.value);
    const offers = this.#offers.value;
    if (!offers) return loading("Opening the episode");
    const offer = offers.find(({ slug }) => slug === this.slug);
    if (!offer) return empty("There is no such episode here.", html`<a class="button" href="/episodes">All episodes</a>`);
    const siblings = offers.filter(({ series }) => series && series === offer.series);
    return html`
      <article class="landing">
        ${offer.series ? html`<p class="hint">${title(offer.series)}${offer.number && siblings.length > 1 ? ` · Episode ${offer.number} of ${siblings.length}` : ""}</p>` : null}
        <h1>${offer.title}</h1>
        <p class="landing-situation">${offer.situation}</p>
        <button type="button" class="button primary large" ?disabled=${this.#starting.value} @click=${() => this.#begin()}>${icon("play")} Step in</button>
        <p class="hint">${title(offer.character)} speaks first.${offer.turn_budget ? ` It takes about ${offer.turn_budget} turns.` : ""}</p>
      </article>`;
  }
}

customElements.define("enact-episodes", Episodes);
customElements.define("enact-landing", Landing);
