// Episodes: those that can be played, and landing pages for each and for each series that make the first move.

import { sceneCard, starters, theirs } from "../components/chat.js";
import { icon } from "../components/icon.js";
import { empty, failure, loading } from "../components/states.js";
import { get } from "../lib/api.js";
import { title } from "../lib/format.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { begin } from "./episode.js";

/**
 * An episode that can be played.
 * @typedef {{
 *   slug: string, title: string, character_name: string, situation: string, dramatic_question?: string | null, turn_budget: number | null,
 *   opening_line?: string, starter_prompts?: string[], series: string | null, series_title?: string, series_about?: string, number: number | null,
 * }} Offer
 */

class Episodes extends View {
  #episodes = signal(/** @type {Offer[] | null} */ (null));
  #error = signal(/** @type {Error | null} */ (null));

  connected() {
    this.#load();
  }

  async #load() {
    try {
      this.#episodes.value = /** @type {any} */ (await get("/v1/episodes")).episodes;
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
      <div class="episodes">
        <h1>Episodes</h1>
        ${bySeries(episodes).map(([series, offers]) => html`
          <section class="series">
            <h2>${series ? html`<a href=${`/series/${series}`}>${seriesTitle(offers[0])}</a>` : "Single episodes"}
              ${offers.length > 1 ? html`<span class="count">${offers.length} episodes</span>` : null}</h2>
            <ul class="offers">${offers.map((offer) => html`
              <li class="offer"><a href=${`/episodes/${offer.slug}`}><h3>${offer.title}</h3></a><p>${offer.situation}</p>
                <p class="hint">With ${offer.character_name}${offer.turn_budget ? ` · about ${offer.turn_budget} turns` : ""}</p></li>`)}</ul>
          </section>`)}
      </div>`;
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

/** How somebody begins: with what the character says, and with what could be said to it. @param {Offer} offer @param {{ starting: boolean, begin: (text?: string) => void }} options */
const firstMove = (offer, { starting, begin: step }) => html`
  <ol class="chat" aria-label="How it begins">
    ${sceneCard(offer)}
    ${offer.opening_line ? theirs(offer.character_name, offer.opening_line) : null}
  </ol>
  ${starters(offer.starter_prompts, step, starting)}
  <button type="button" class="button primary large" ?disabled=${starting} @click=${() => step()}>${icon("play")} Step in</button>`;

/** What both landing pages do: read what there is, and begin. */
class LandingView extends View {
  offers = signal(/** @type {Offer[] | null} */ (null));
  /** Which episodes were played to their end. */
  played = signal(/** @type {Set<string>} */ (new Set()));
  error = signal(/** @type {Error | null} */ (null));
  starting = signal(false);

  connected() {
    get("/v1/episodes").then((/** @type {any} */ { episodes }) => (this.offers.value = episodes), (error) => (this.error.value = error));
    get("/v1/sessions").then((/** @type {any} */ { sessions }) => (this.played.value = new Set(sessions.filter(isOver).map((/** @type {any} */ one) => one.episode_template_id))), () => {});
  }

  /** @param {string} slug @param {string} [text] said at once */
  async begin(slug, text) {
    this.starting.value = true;
    try {
      await begin(slug, text);
    } catch (error) {
      this.starting.value = false;
      this.error.value = /** @type {Error} */ (error);
    }
  }
}

/** @param {{ session_state?: string }} session */
const isOver = ({ session_state: state }) => state === "complete";

class Landing extends LandingView {
  slug = "";

  view() {
    if (this.error.value) return failure(this.error.value);
    const offers = this.offers.value;
    if (!offers) return loading("Opening the episode");
    const offer = offers.find(({ slug }) => slug === this.slug);
    if (!offer) return empty("There is no such episode here.", html`<a class="button" href="/episodes">All episodes</a>`);
    const siblings = inSeries(offers, offer.series);
    const place = siblings.length > 1 ? ` · Episode ${siblings.indexOf(offer) + 1} of ${siblings.length}` : "";
    return html`
      <article class="landing">
        ${offer.series ? html`<p class="hint"><a href=${`/series/${offer.series}`}>${seriesTitle(offer)}</a>${place}</p>` : null}
        <h1>${offer.title}</h1>
        ${firstMove(offer, { starting: this.starting.value, begin: (text) => this.begin(offer.slug, text) })}
        ${offer.turn_budget ? html`<p class="hint">It takes about ${offer.turn_budget} turns.</p>` : null}
      </article>`;
  }
}

class SeriesLanding extends LandingView {
  name = "";

  view() {
    if (this.error.value) return failure(this.error.value);
    const all = this.offers.value;
    if (!all) return loading("Opening the series");
    const offers = inSeries(all, this.name);
    if (!offers.length) return empty("There is no such series here.", html`<a class="button" href="/episodes">All episodes</a>`);
    const played = this.played.value;
    const next = offers.find(({ slug }) => !played.has(slug)) ?? offers[0];
    return html`
      <article class="landing">
        <h1>${seriesTitle(offers[0])}</h1>
        ${offers[0].series_about ? html`<p class="landing-situation">${offers[0].series_about}</p>` : null}
        <h2 class="offer-title">${offers.length > 1 ? `Episode ${offers.indexOf(next) + 1} of ${offers.length}: ` : ""}${next.title}</h2>
        ${firstMove(next, { starting: this.starting.value, begin: (text) => this.begin(next.slug, text) })}
        ${offers.length > 1 ? html`<ol class="parts" aria-label="Episodes">${offers.map((offer, index) => html`
          <li class=${offer === next ? "part-row next" : "part-row"}>
            <a href=${`/episodes/${offer.slug}`}><span class="part-number">${index + 1}</span>${offer.title}</a>
            ${played.has(offer.slug) ? html`<span class="tag good">${icon("check")} Played</span>` : null}</li>`)}</ol>` : null}
      </article>`;
  }
}

/** @param {Offer} offer of a series */
const seriesTitle = ({ series, series_title: told }) => told ?? title(series ?? "");

/** The episodes of a series, in their order. @param {Offer[]} offers @param {string | null} series */
const inSeries = (offers, series) => (series ? offers.filter((offer) => offer.series === series).sort((one, other) => (one.number ?? 0) - (other.number ?? 0)) : []);

customElements.define("enact-episodes", Episodes);
customElements.define("enact-landing", Landing);
customElements.define("enact-series", SeriesLanding);
