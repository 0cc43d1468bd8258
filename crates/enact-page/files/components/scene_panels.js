// What stands beside the transcript: beats, goals, how it goes, and who says how much.

import { counted, duration, money, number, words } from "../lib/format.js";
import { html, repeat } from "../lib/html.js";
import { role } from "../state/scene.js";
import { movedBy, shownTension } from "../state/tension.js";
import { barChart, lineChart } from "./charts.js";
import { icon } from "./icon.js";

/** @typedef {import("../state/scene.js").Scene} Scene */

/** More beats than this are no picture: the newest are shown. */
const MOST_BEATS = 120;
const MOST_COLUMNS = 60;

/** Each beat as a column: as high as what was said in it, marked where somebody was cut off or something happened. @param {Scene} scene @param {(beat: number) => void} jump */
export function beatTimeline(scene, jump) {
  const most = Math.max(1, ...scene.beats.map((beat) => total(beat.words)));
  return html`
    <section class="panel" aria-labelledby="beats-title">
      <h2 id="beats-title">Beats <span class="count">${scene.beats.length}${scene.maxBeats ? ` of at most ${scene.maxBeats}` : ""}</span></h2>
      <ol class="beats">
        ${scene.beats.slice(-MOST_BEATS).map((beat) => {
          const name = `Beat ${beat.beat}: ${inWords(beat)}`;
          const isOpen = beat.settledAt === null && !scene.ended;
          return html`
            <li><button type="button" class=${`beat${isOpen ? " open" : ""}`} data-height=${Math.round((total(beat.words) / most) * 10)} aria-label=${name} title=${name} @click=${() => jump(beat.beat)}>
              <span class="beat-column"></span>${beat.cuts ? html`<span class="beat-cut" aria-hidden="true">/</span>` : null}${beat.world ? html`<span class="beat-world" aria-hidden="true"></span>` : null}
            </button></li>`;
        })}
      </ol>
    </section>`;
}

/** What there was in a beat. @param {import("../state/scene.js").Beat} beat */
function inWords({ words: said, cuts, world, silences }) {
  const told = [counted(total(said), "word"), cuts && counted(cuts, "interruption"), world && "a world event", silences && counted(silences, "silence")];
  return told.filter(Boolean).join(", ");
}

/** @param {Scene} scene @param {(line: number) => void} jump */
export function goals(scene, jump) {
  const met = scene.goals.filter((goal) => goal.met).length;
  return html`
    <section class="panel" aria-labelledby="goals-title">
      <h2 id="goals-title">Goals <span class="count">${met} of ${scene.goals.length}</span></h2>
      ${scene.goals.length
        ? html`<ul class="goals">
            ${scene.goals.map((goal) => goalRow(goal, goal.met === null && scene.beats.length > 0, jump))}
          </ul>`
        : html`<p class="hint">This scene has no goals: it ends when everything is said.</p>`}
    </section>`;
}

/** @param {import("../state/scene.js").Goal} goal @param {boolean} unread whether nobody can tell @param {(line: number) => void} jump */
function goalRow({ text, met, evidence, by, line }, unread, jump) {
  const state = met ? "met" : unread ? "unread" : "unmet";
  return html`
    <li class=${state}>
      ${icon(/** @type {const} */ ({ met: "check", unread: "unknown", unmet: "open" })[state])}
      <div><p>${text}<span class="visually-hidden">: ${met ? "met" : "not met"}</span></p>
      ${evidence ? html`<button type="button" class="evidence" ?disabled=${line === null} @click=${() => line !== null && jump(line)}>${by ? html`${by}: ` : null}“${evidence}”</button>` : null}</div>
    </li>`;
}

/** How it goes: how tense it is, how sure the judge is, and what it costs. @param {Scene} scene @param {import("../state/tension.js").TenseBeat[]} tension */
export function course(scene, tension) {
  const moved = movedBy(tension, scene.beats);
  let spent = 0;
  let known = true;
  const costs = scene.beats.map((beat) => {
    if (beat.cost === null) known = false;
    spent += beat.cost ?? 0;
    return { x: beat.beat, y: spent };
  });
  let tokens = 0;
  const used = scene.beats.map((beat) => ({ x: beat.beat, y: (tokens += beat.tokens) }));
  return html`
    <section class="panel" aria-labelledby="course-title">
      <h2 id="course-title">Course</h2>
      ${lineChart({ name: "Tension", points: shownTension(tension, scene.beats), format: (value) => `${Math.round(value * 100)} %`, top: 1 })}
      ${moved.length ? html`<p class="hint">Moved last by ${[...new Set(moved)].map(words).join(", ").toLowerCase()}</p>` : null}
      ${lineChart({ name: "Goals reached, says the judge", points: scene.beats.map((beat) => ({ x: beat.beat, y: beat.confidence })), format: (value) => `${Math.round(value * 100)} %`, top: 1 })}
      ${tokens && !known && !spent ? html`<p class="hint">What this model costs is not known.</p>` : null}
      ${tokens && (known || spent) ? lineChart({ name: known ? "Cost" : "Cost, as far as it is known", points: costs, format: money }) : null}
      ${tokens ? lineChart({ name: "Tokens", points: used, format: number }) : html`<p class="hint">The improviser plays: nothing is used, and it costs nothing.</p>`}
    </section>`;
}

/** Who waits how long, and what went wrong. @param {Scene} scene */
export function players(scene) {
  const rows = [...scene.accounts].map(([who, account]) => ({ who, ...account, mean: account.calls > account.failed ? account.tookMs / (account.calls - account.failed) : 0 }));
  return html`
    <section class="panel" aria-labelledby="players-title">
      <h2 id="players-title">Time to answer</h2>
      ${barChart({ name: "Mean time to answer", rows: rows.map((row) => ({ name: role(scene, row.who)?.display ?? row.who, value: row.mean, label: duration(row.mean), hue: role(scene, row.who)?.hue })) })}
      <dl class="facts">
        ${playedBy(scene).map(([who, model]) => html`<div><dt>${who}</dt><dd>${model}</dd></div>`)}
        ${scene.benched.size ? html`<div><dt>Left alone for a while</dt><dd>${[...scene.benched].map((name) => role(scene, name)?.display).join(", ")}</dd></div>` : null}
        ${cached(scene) === null ? null : html`<div><dt>Read from cache</dt><dd>${Math.round((cached(scene) ?? 0) * 100)} % of input</dd></div>`}
        <div><dt>Errors</dt><dd>${scene.errors.length || "none"}</dd></div>
      </dl>
      ${scene.errors.length ? html`<ul class="errors">${scene.errors.slice(-5).map((error) => html`<li>Beat ${error.beat}, ${role(scene, error.actor)?.display ?? error.actor}: ${error.error}</li>`)}</ul>` : null}
    </section>`;
}

/** Who is played by which model; one row, if it is the same for all. @param {Scene} scene */
function playedBy(scene) {
  const name = (/** @type {string} */ model) => scene.models[model]?.label ?? model;
  const models = new Set(scene.cast.map((one) => one.model));
  if (models.size === 1) return [["Played by", name([...models][0])]];
  return scene.cast.map((one) => [one.display, one.model === "human" ? "a person" : name(one.model)]);
}

/** @param {Scene} scene */
function cached(scene) {
  const all = [...scene.accounts.values()];
  const input = all.reduce((sum, account) => sum + account.input, 0);
  return input ? all.reduce((sum, account) => sum + account.cached, 0) / input : null;
}

/** Who said how much in which beat. @param {Scene} scene @param {(beat: number) => void} jump */
export function castTable(scene, jump) {
  const beats = scene.beats.slice(-MOST_COLUMNS);
  const most = Math.max(1, ...beats.flatMap((beat) => Object.values(beat.words)));
  const heads = beats.map(({ beat }) => html`
    <th scope="col" class="number"><button type="button" class="plain-button" @click=${() => jump(beat)} aria-label=${`Go to beat ${beat}`}>${beat}</button></th>`);
  /** @param {string} name */
  const cells = (name) => beats.map(({ words: said }) => html`<td class="number" data-share=${Math.ceil(((said[name] ?? 0) / most) * 5)}>${said[name] === 0 ? "·" : (said[name] ?? "")}</td>`);
  /** @param {string} name */
  const sum = (name) => number(scene.beats.reduce((all, beat) => all + (beat.words[name] ?? 0), 0));
  return html`
    <section class="panel" aria-labelledby="cast-title">
      <h2 id="cast-title">Words by beat</h2>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="cast-title">
        <table class="cast">
          <thead><tr><th scope="col">Who</th>${heads}<th scope="col" class="number">All</th></tr></thead>
          <tbody>${repeat(scene.cast, (one) => one.name, ({ name, display, hue }) => html`
            <tr data-hue=${hue}><th scope="row">${display}</th>${cells(name)}<td class="number"><strong>${sum(name)}</strong></td></tr>`, {})}</tbody>
        </table>
      </div>
    </section>`;
}

/** @param {Record<string, number>} words */
const total = (words) => Object.values(words).reduce((sum, count) => sum + count, 0);
