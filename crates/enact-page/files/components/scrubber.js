// The scrubber: stepping through a run, playing it again, and coming back to what is happening now.

import { clock } from "../lib/format.js";
import { html } from "../lib/html.js";
import { SPEEDS } from "../state/replay.js";
import { icon } from "./icon.js";

/**
 * @param {import("../state/run_store.js").RunStore<any>} store
 * @param {boolean} over whether the run is over
 * @param {{ on: boolean, toggle: () => void } | null} listening nothing where there is no sound
 */
export function scrubber(store, over, listening) {
  const { shown, events, times } = store;
  const playing = store.playing.value;
  const at = times[Math.max(0, shown - 1)] ?? 0;
  return html`
    <div class="scrubber" role="group" aria-label="Replay">
      <button type="button" class="icon-button" aria-label="Previous line" ?disabled=${shown <= 1} @click=${() => store.step(-1)}>${icon("back")}</button>
      <button type="button" class="icon-button strong" aria-label=${playing ? "Pause the replay" : "Replay"} @click=${() => (playing ? store.pause() : store.play())}>${icon(playing ? "pause" : "play")}</button>
      <button type="button" class="icon-button" aria-label="Next line" ?disabled=${shown >= events.length} @click=${() => store.step(1)}>${icon("forward")}</button>
      ${listening ? html`<button type="button" class="icon-button" aria-label=${listening.on ? "Stop listening" : "Listen"} title=${listening.on ? "Stop listening" : "Listen"} aria-pressed=${String(listening.on)} @click=${listening.toggle}>${icon(listening.on ? "stop" : "sound")}</button>` : null}
      <input type="range" min="1" max=${Math.max(1, events.length)} .value=${String(shown)} aria-label="Place in the run" aria-valuetext=${`Event ${shown} of ${events.length}`}
        @input=${(/** @type {any} */ event) => {
          store.pause();
          store.seek(Number(event.target.value));
        }} />
      <span class="scrub-time">${clock(at)} / ${clock(times.at(-1) ?? 0)}</span>
      <label class="speed"><span class="visually-hidden">Speed</span>
        <select @change=${(/** @type {any} */ event) => (store.speed.value = Number(event.target.value))}>${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${store.speed.value === speed}>${speed}×</option>`)}</select></label>
      <button type="button" class=${`button ${store.live && !over ? "is-live" : "quiet"}`} ?disabled=${store.live} @click=${() => {
        store.pause();
        store.seek(events.length);
      }}>${over ? "End" : "Live"}</button>
    </div>`;
}
