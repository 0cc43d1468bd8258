// Steering a scene while it plays: notes, whispers, world events, pause and stop; and playing a part oneself.

import { post } from "../lib/api.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { role } from "../state/scene.js";
import { icon } from "./icon.js";

/** @typedef {import("../state/scene.js").Scene} Scene */

const problem = signal("");
const sent = signal("");

/** @param {() => Promise<unknown>} work @param {string} told */
async function attempt(work, told) {
  try {
    problem.value = "";
    await work();
    sent.value = told;
  } catch (error) {
    sent.value = "";
    problem.value = /** @type {Error} */ (error).message;
  }
}

/** @param {string} run @param {Scene} scene */
export function steering(run, scene) {
  const id = { id: run };
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const values = new FormData(form);
    const text = String(values.get("text")).trim();
    const to = String(values.get("to"));
    if (!text) return;
    const command = to === "world" ? () => post("/v1/runs/{id}/world-events", { text }, id) : () => post("/v1/runs/{id}/notes", to === "all" ? { text } : { text, to }, id);
    const told = to === "world" ? "It happens before the next beat." : to === "all" ? "All will be told." : `${role(scene, to)?.display ?? to} will be told.`;
    attempt(command, told).then(() => problem.peek() || form.reset());
  };
  return html`
    <section class="panel steering" aria-labelledby="steering-title">
      <div class="spread"><h2 id="steering-title">Steer</h2>
        <div class="row">
          ${scene.paused
            ? html`<button type="button" class="button" @click=${() => attempt(() => post("/v1/runs/{id}/step", undefined, id), "One beat more.")}>${icon("forward")} One beat</button>
                <button type="button" class="button primary" @click=${() => attempt(() => post("/v1/runs/{id}/resume", undefined, id), "It goes on.")}>${icon("play")} Go on</button>`
            : html`<button type="button" class="button" @click=${() => attempt(() => post("/v1/runs/{id}/pause", undefined, id), "It pauses after this beat.")}>${icon("pause")} Pause</button>`}
          <button type="button" class="button danger" @click=${() => attempt(() => post("/v1/runs/{id}/cancel", undefined, id), "It ends now.")}>${icon("stop")} Stop</button>
        </div>
      </div>
      <form class="steer-form" @submit=${submit}>
        <label><span class="visually-hidden">What kind</span>
          <select name="to">
            <option value="all">Note to all</option>
            ${scene.cast.map((one) => html`<option value=${one.name}>Whisper to ${one.display}</option>`)}
            <option value="world">World event</option>
          </select></label>
        <label><span class="visually-hidden">Text</span><input name="text" maxlength="500" required placeholder="You are hiding something." autocomplete="off" /></label>
        <button class="button">${icon("send")} Send</button>
      </form>
      <p class="hint" role="status">${sent.value}</p>
      <p class="problem" role="alert">${problem.value}</p>
    </section>`;
}

/**
 * What a person who plays a part is asked now.
 * @param {string} run @param {Scene} scene
 * @param {{ ask: number, actor: string, until: number | null, lines?: any[] }[]} asks
 * @param {() => void} answered
 */
export function partForms(run, scene, asks, answered) {
  return asks.map((ask) => {
    const who = role(scene, ask.actor);
    const other = scene.cast.find(({ name }) => name !== ask.actor);
    /** @param {string} text */
    const answer = (text) => attempt(() => post("/v1/runs/{id}/commands", { command: "answer", ask: ask.ask, text }, { id: run }), "").then(answered);
    return html`
      <form class="part" data-hue=${who?.hue} aria-label=${`Your part: ${who?.display ?? ask.actor}`} @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        const text = String(new FormData(form).get("answer"));
        form.reset();
        answer(text);
      }}>
        <label><span class="name">You are ${who?.display ?? ask.actor}</span><input name="answer" autocomplete="off" placeholder=${other ? `(smiles) Hello, ${other.display}.` : "(smiles) Hello."} /></label>
        <button class="button primary">${icon("send")} Say it</button>
        <button type="button" class="button" @click=${() => answer("")}>Stay silent</button>
      </form>`;
  });
}
