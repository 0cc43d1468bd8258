// Costs: tokens and money by run, character, model, purpose or day.

import { barChart } from "../components/charts.js";
import { icon } from "../components/icon.js";
import { saveUrl } from "../components/export_menu.js";
import { empty, failure, loading } from "../components/states.js";
import { get } from "../lib/api.js";
import { counted, money, number, title, words } from "../lib/format.js";
import { html, repeat } from "../lib/html.js";
import { place, setQuery } from "../lib/router.js";
import { effect, signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { csv, measure, rows } from "../state/costs.js";

const BY = ["model", "run", "character", "purpose", "day"];
/** More bars than this are no plot. */
const MOST_BARS = 12;

/** What the table says of each row. @type {{ head: string, cell: (row: import("../state/costs.js").Row) => string }[]} */
const COLUMNS = [
  { head: "Calls", cell: (row) => number(row.calls) },
  { head: "Input", cell: (row) => number(row.input) },
  { head: "From cache", cell: (row) => number(row.cached) },
  { head: "Output", cell: (row) => number(row.output) },
  { head: "Money", cell: (row) => money(row.usd) },
  { head: "Share", cell: (row) => `${Math.round(row.share * 100)} %` },
];

class Costs extends View {
  #answer = signal(/** @type {any} */ (null));
  #error = signal(/** @type {Error | null} */ (null));

  connected() {
    this.cleanup(effect(() => void this.#load(place.value.query)));
  }

  /** @param {URLSearchParams} query */
  async #load(query) {
    try {
      const [by, from, to] = ["by", "from", "to"].map((key) => query.get(key));
      this.#answer.value = await get("/v1/costs", { by: /** @type {any} */ (by ?? "model"), from, to });
      this.#error.value = null;
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  view() {
    const by = place.value.query.get("by") ?? "model";
    return html`
      <div class="costs stack">
        <div class="spread"><h1>Costs</h1>
          <div class="row">
            <div class="tabs" role="group" aria-label="By what">
              ${BY.map((one) => html`<button type="button" class="button" aria-pressed=${String(one === by)} @click=${() => setQuery({ by: one })}>${words(one)}</button>`)}
            </div>
            ${this.#range()}
          </div></div>
        ${this.#body(by)}
      </div>`;
  }

  #range() {
    const { query } = place.value;
    const choose = (/** @type {string} */ key) => (/** @type {any} */ event) => setQuery({ [key]: event.target.value });
    return ["from", "to"].map((key) => html`<label class="date"><span>${words(key)}</span><input type="date" .value=${query.get(key)?.slice(0, 10) ?? ""} @change=${choose(key)} /></label>`);
  }

  /** @param {string} by */
  #body(by) {
    if (this.#error.value) return failure(this.#error.value, () => this.#load(place.peek().query));
    const answer = this.#answer.value;
    if (!answer || answer.by !== by) return loading("Adding up");
    const all = by === "day" ? rows(answer.groups) : rows(answer.groups).sort((one, other) => other.share - one.share);
    if (!all.length) return empty("Nothing was used in this time.", html`<p>What models are asked for is added up here.</p>`);
    const what = measure(all);
    const save = () => saveUrl(URL.createObjectURL(new Blob([csv(by, all)], { type: "text/csv" })), `costs-by-${by}.csv`);
    /** @typedef {import("../state/costs.js").Row} Row */
    const name = (/** @type {Row} */ row) => (by === "run" ? `${title(row.name)} ${row.key.slice(0, 8)}` : row.name);
    const value = (/** @type {Row} */ row) => (what === "money" ? (row.usd ?? 0) : what === "tokens" ? row.tokens : row.calls);
    const label = (/** @type {Row} */ row) => (what === "money" ? money(row.usd) : what === "tokens" ? counted(row.tokens, "token") : counted(row.calls, "call"));
    const total = answer.total;
    return html`
      <dl class="totals">
        <div><dt>Money</dt><dd>${money(total.estimatedUSD)}</dd></div>
        <div><dt>Tokens</dt><dd>${number(total.totalTokens)}</dd></div>
        <div><dt>Calls</dt><dd>${number(total.calls)}</dd></div>
        <div><dt>Runs</dt><dd>${number(answer.runs)}</dd></div>
        ${total.unaccounted ? html`<div><dt>Calls whose use is unknown</dt><dd>${number(total.unaccounted)}</dd></div>` : null}
      </dl>
      ${answer.complete ? null : html`<p class="hint">Still adding up: some runs are not counted yet.</p>`}
      <section class="card">
        ${barChart({ name: `${words(what)} by ${by}`, rows: all.slice(0, MOST_BARS).map((row, hue) => ({ name: name(row), value: value(row), label: label(row), hue })) })}
      </section>
      <section class="card">
        <div class="spread"><h2>${counted(all.length, "row")}</h2><button type="button" class="button" @click=${save}>${icon("download")} CSV</button></div>
        <div class="scroll" tabindex="0" role="region" aria-label="Table of costs"><table>
          <thead><tr><th scope="col">${words(by)}</th>${COLUMNS.map(({ head }) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
          <tbody>${repeat(all, (row) => row.key, (row) => html`
            <tr><th scope="row">${by === "run" ? html`<a href=${`/runs/${row.key}`}>${name(row)}</a>` : name(row)}</th>
              ${COLUMNS.map(({ cell }) => html`<td class="number">${cell(row)}</td>`)}</tr>`)}</tbody>
        </table></div>
      </section>`;
  }
}

customElements.define("enact-costs", Costs);
