// What stands beside the map of a field and below it: whoever is looked at, who is there, and what happens.

import { words } from "../lib/format.js";
import { html, repeat } from "../lib/html.js";
import { concerning, fieldClock } from "../state/field.js";
import { barChart } from "./charts.js";
import { icon, iconButton } from "./icon.js";

/** @typedef {import("../state/field.js").Field} Field */
/** @typedef {import("../state/field.js").Entity} Entity */

/** How many people are listed; a search finds the others. */
const MOST_LISTED = 40;
const MOST_HAPPENINGS = 60;
const MOST_OF_ONE = 8;

/**
 * Whoever is looked at.
 * @param {Field} field @param {number | null} id @param {any} known what the server knows of them
 * @param {{ close: () => void, watch: ((on: boolean) => void) | null }} actions `watch` where a model decides for those near
 */
export function someone(field, id, known, { close, watch }) {
  const entity = id === null ? undefined : field.entities.get(id);
  if (!entity) return html`<section class="panel"><p class="hint">Choose somebody on the map or in the list: state, needs, memory, and what they do.</p></section>`;
  const happened = concerning(field, entity.id).slice(0, MOST_OF_ONE);
  return html`
    <section class="panel someone" data-hue=${entity.hue} aria-labelledby="someone-title">
      <div class="spread"><h2 id="someone-title" class="someone-name">${entity.name}</h2>${iconButton("close", "Look at nobody", close)}</div>
      ${entity.person && watch ? watching(field.watched === entity.id, watch) : null}
      <dl class="facts">
        <div><dt>${entity.person ? "State" : "Thing"}</dt><dd>${entity.person ? words(entity.state.toLowerCase()) : `${known?.left ?? 100} % left`}</dd></div>
        <div><dt>Where</dt><dd>${entity.x}, ${entity.y}</dd></div>
        ${interactionOf(field, entity.id)}
        ${known?.memory?.plan ? html`<div><dt>Wants to</dt><dd>${known.memory.plan.kind}${known.memory.plan.target ? `: ${known.memory.plan.target}` : ""}</dd></div>` : null}
        ${known?.offers?.length ? html`<div><dt>Offers</dt><dd>${known.offers.join(", ")}</dd></div>` : null}
      </dl>
      ${needs(entity)}
      ${known?.memory ? memory(known.memory) : null}
      ${happened.length ? html`<h3>Lately</h3><ol class="happenings">${repeat(happened, (one) => one.key, happening)}</ol>` : null}
    </section>`;
}

/** Cost follows attention: a model decides for who is watched, and for those near. @param {boolean} on @param {(on: boolean) => void} watch */
const watching = (on, watch) => html`
  <div class="watching">
    <button type="button" class="button" aria-pressed=${String(on)} @click=${() => watch(!on)}>${icon("eye")} ${on ? "Watched" : "Watch"}</button>
    <p class="hint">${on ? "A model decides here and nearby." : "Rules decide. Watch, and a model does."}</p>
  </div>`;

/** @param {Field} field @param {number} id */
function interactionOf(field, id) {
  const interaction = [...field.interactions.values()].find(({ members }) => members.includes(id));
  if (!interaction) return null;
  const others = [...interaction.members.filter((other) => other !== id), ...(interaction.item === null ? [] : [interaction.item])];
  const names = others.map((other) => field.entities.get(other)?.name ?? "somebody");
  return html`<div><dt>${words(interaction.kind)}</dt><dd>${names.join(", ") || "alone"}</dd></div>`;
}

/** @param {Entity} entity */
function needs({ needs: all }) {
  const rows = Object.entries(all);
  if (!rows.length) return null;
  return barChart({ name: "Needs", rows: rows.map(([need, left]) => ({ name: words(need), value: left, label: `${left} of 100` })), most: 100 });
}

/** @param {{ seen: { name: string }[], avoids: string[], refusals: number }} memory */
const memory = ({ seen, avoids, refusals }) => html`
  <h3>Memory</h3>
  <dl class="facts">
    <div><dt>Has seen</dt><dd>${[...new Set(seen.map(({ name }) => name))].join(", ") || "nothing of use"}</dd></div>
    ${avoids.length ? html`<div><dt>Could not have</dt><dd>${avoids.join(", ")}</dd></div>` : null}
    ${refusals ? html`<div><dt>Refused in a row</dt><dd>${refusals}</dd></div>` : null}
  </dl>`;

/** @param {Field} field @param {number | null} selected @param {string} search @param {{ select: (id: number) => void, find: (search: string) => void }} actions */
export function people(field, selected, search, { select, find }) {
  const all = [...field.entities.values()].filter(({ person }) => person);
  const wanted = search.trim().toLowerCase();
  const found = all.filter(({ name, state }) => name.toLowerCase().includes(wanted) || state.toLowerCase().includes(wanted)).slice(0, MOST_LISTED);
  const type = (/** @type {any} */ event) => find(event.target.value);
  return html`
    <section class="panel" aria-labelledby="people-title">
      <h2 id="people-title">People <span class="count">${all.length}</span></h2>
      ${all.length > 12 ? html`<label><span class="visually-hidden">Find somebody</span><input type="search" placeholder="Find somebody" .value=${search} @input=${type} /></label>` : null}
      <ul class="people">${found.map((one) => person(one, one.id === selected, one.id === field.watched, () => select(one.id)))}</ul>
      ${found.length ? null : html`<p class="hint">Nobody is called that.</p>`}
    </section>`;
}

/** @param {Entity} entity @param {boolean} isSelected @param {boolean} isWatched @param {() => void} select */
const person = ({ name, state, hue }, isSelected, isWatched, select) => html`
  <li><button type="button" class="person" data-hue=${hue} aria-pressed=${String(isSelected)} @click=${select}><span
    class="someone-name">${name}</span>${isWatched ? icon("eye") : null}<span class="hint">${words(state.toLowerCase())}</span></button></li>`;

/** @param {Field} field @param {((text: string) => Promise<boolean>) | null} letHappen nothing where time does not go on */
export function happenings(field, letHappen) {
  return html`
    <section class="panel field-happenings" aria-labelledby="happenings-title">
      <h2 id="happenings-title">What happens</h2>
      ${letHappen ? worldEvent(letHappen) : null}
      <ol class="happenings" tabindex="0" aria-labelledby="happenings-title">${field.happenings.length
        ? repeat(field.happenings.slice(-MOST_HAPPENINGS).reverse(), (one) => one.key, happening)
        : html`<li class="hint">${field.ended ? "Nothing happened." : "Nothing has happened yet."}</li>`}</ol>
    </section>`;
}

/** @param {(text: string) => Promise<boolean>} letHappen whether it was taken */
const worldEvent = (letHappen) => html`
  <form class="steer-form" @submit=${async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (await letHappen(String(new FormData(form).get("text")))) form.reset();
  }}>
    <label><span class="visually-hidden">World event</span><input name="text" required maxlength="500" autocomplete="off" placeholder="The lamp goes out." /></label>
    <button class="button">${icon("world")} Let it happen</button>
  </form>`;

/** @param {import("../state/field.js").Happening} one */
function happening({ kind, tick, who, text }) {
  const lead = who ? html`<strong>${who}</strong>${kind === "began" ? " · " : " "}` : null;
  return html`<li class=${`happening ${kind}`}><span class="when">${fieldClock(tick)}</span><span>${lead}${kind === "line" ? html`<q>${text}</q>` : text}</span></li>`;
}
