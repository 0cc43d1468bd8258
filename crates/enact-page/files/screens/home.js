// Home: what runs and what ran.

import { icon } from "../components/icon.js";
import { empty, failure, loading } from "../components/states.js";
import { get } from "../lib/api.js";
import { ago, counted, title, words } from "../lib/format.js";
import { html, repeat } from "../lib/html.js";
import { place, setQuery } from "../lib/router.js";
import { effect, signal } from "../lib/signal.js";
import { View } from "../lib/view.js";

/** @typedef {{ runId: string, production: string, name: string, startedAt: string, status: string, reason: string | null, events: number, parent?: string, problem?: string }} Run */

const PAGE = 30;
/** What goes on is asked about this often; what is over does not change. */
const REFRESH_MS = 2000;
const STATUSES = ["", "playing", "waiting", "paused", "resting", "interrupted", "finished"];
const PRODUCTIONS = ["", "scene", "chorus", "episode", "field"];

class Home extends View {
  #runs = signal(/** @type {Run[] | null} */ (null));
  #next = signal(/** @type {string | null} */ (null));
  #error = signal(/** @type {Error | null} */ (null));
  #timer = 0;

  connected() {
    this.cleanup(effect(() => void this.#load(place.value.query)));
    this.#timer = /** @type {any} */ (setInterval(() => this.#refresh(), REFRESH_MS));
    this.cleanup(() => clearInterval(this.#timer));
  }

  /** @param {URLSearchParams} query @param {string} [before] */
  #page(query, before) {
    const [q, status, production] = ["q", "status", "production"].map((key) => query.get(key));
    return get("/v1/runs", { q, status: /** @type {any} */ (status), production: /** @type {any} */ (production), limit: PAGE, before });
  }

  /** @param {URLSearchParams} query */
  async #load(query) {
    try {
      const { runs, next } = await this.#page(query);
      if (query.toString() !== place.peek().query.toString()) return;
      this.#error.value = null;
      this.#next.value = next;
      this.#runs.value = runs;
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  async #more() {
    const { runs, next } = await this.#page(place.peek().query, this.#next.peek() ?? undefined);
    this.#runs.value = [...(this.#runs.peek() ?? []), ...runs];
    this.#next.value = next;
  }

  /** The first page again, if anything on it goes on or an error may have passed. */
  async #refresh() {
    if (document.visibilityState === "hidden") return;
    const shown = this.#runs.peek();
    if (this.#error.peek()) return this.#load(place.peek().query);
    if (!shown) return;
    try {
      const { runs } = await this.#page(place.peek().query);
      const known = new Map(shown.map((run) => [run.runId, run]));
      /** @param {Run} run */
      const same = (run) => {
        const before = known.get(run.runId);
        return before && before.status === run.status && before.events === run.events ? before : run;
      };
      const newest = runs.map(same);
      const rest = shown.filter((run) => !runs.some((/** @type {Run} */ one) => one.runId === run.runId) && run.runId < (runs.at(-1)?.runId ?? ""));
      this.#runs.value = [...newest, ...rest];
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  view() {
    const { query } = place.value;
    const filtered = ["q", "status", "production"].some((key) => query.get(key));
    return html`
      <div class="home">
        <div class="spread">
          <h1>Runs</h1>
          <div class="row">
            <a class="button primary" href="/new">${icon("plus")} New scene</a>
            <a class="button" href="/chorus">Ask a chorus</a>
            <a class="button" href="/episodes">Play an episode</a>
            <a class="button" href="/fields">Watch a field</a>
          </div>
        </div>
        <form class="filters" role="search" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
          <label class="search"><span class="visually-hidden">Search by name</span>${icon("search")}
            <input type="search" placeholder="Search by name" .value=${query.get("q") ?? ""} @input=${(/** @type {any} */ event) => setQuery({ q: event.target.value })} /></label>
          ${this.#filter("production", "What", PRODUCTIONS, "All productions", query)}
          ${this.#filter("status", "Status", STATUSES, "Any status", query)}
        </form>
        ${this.#list(filtered)}
      </div>`;
  }

  /** @param {string} key @param {string} name @param {string[]} values @param {string} all @param {URLSearchParams} query */
  #filter(key, name, values, all, query) {
    return html`<label><span class="visually-hidden">${name}</span>
      <select @change=${(/** @type {any} */ event) => setQuery({ [key]: event.target.value })}>
        ${values.map((value) => html`<option value=${value} ?selected=${(query.get(key) ?? "") === value}>${value ? words(value) : all}</option>`)}
      </select></label>`;
  }

  /** @param {boolean} filtered */
  #list(filtered) {
    const [runs, error] = [this.#runs.value, this.#error.value];
    if (error && !runs) return failure(error, () => this.#load(place.peek().query));
    if (!runs) return loading("Looking for runs");
    if (!runs.length) {
      return filtered
        ? empty("No run is like that.", html`<button type="button" class="button" @click=${() => setQuery({ q: null, status: null, production: null })}>Show all</button>`)
        : empty("Nothing has been played yet.", html`<p>Begin with an example: it is played by the built-in improviser, without a key.</p><a class="button primary" href="/new">New scene</a>`);
    }
    return html`
      ${error ? html`<p class="problem" role="status">${error.message}</p>` : null}
      <ul class="runs" aria-label="Runs, newest first">${repeat(runs, (run) => run.runId, runRow)}</ul>
      ${this.#next.value ? html`<div class="more"><button type="button" class="button" @click=${() => this.#more()}>Older runs</button></div>` : null}`;
  }
}

/** @param {Run} run */
const runRow = (run) => html`
  <li class="run" data-run=${run.runId}>
    <a href=${`/runs/${run.runId}`}>${run.production === "chorus" ? "A chorus" : title(run.name)}</a>
    <span class="run-what">${words(run.production)}${run.parent ? html`, a branch` : null}</span>
    <span class="run-status">${statusTag(run)}</span>
    <span class="run-when"><time datetime=${run.startedAt} title=${run.startedAt}>${ago(run.startedAt)}</time> · ${counted(run.events, "event")}</span>
    ${run.problem ? html`<span class="problem">${run.problem}</span>` : null}
  </li>`;

/** How a run stands, or how it ended. @param {{ status: string, reason: string | null }} run */
export function statusTag({ status, reason }) {
  if (reason) {
    const kind = ["goal_achieved", "completed", "natural_end", "turn_limit", "objective_met", "beat_complete"].includes(reason) ? "good" : reason === "failed" ? "bad" : "";
    return html`<span class=${`tag ${kind}`}>${words(reason)}</span>`;
  }
  const kind = status === "playing" ? "live" : status === "interrupted" ? "warn" : "";
  return html`<span class=${`tag ${kind}`}>${status === "playing" ? html`<span class="pulse" aria-hidden="true"></span>` : null}${words(status)}</span>`;
}

customElements.define("enact-home", Home);
