// The scrubber: stepping through a run, playing it again, and coming back to what is happening now.

import { clock } from "../lib/format.js";
import { html } from "../lib/html.js";
import { SPEEDS } from "../state/replay.js";
import { iconButton } from "./icon.js";

/**
 * @param {import("../state/run_store.js").RunStore<any>} store
 * @param {boolean} over whether the run is over
 * @param {{ on: boolean, toggle: () => void } | null} listening nothing where there is no sound
 */
export function scrubber(store, over, listening) {
  const { shown, events, times } = store;
  const playing = store.playing.value;
  const at = times[Math.max(0, shown - 1)] ?? 0;
  const seek = (/** @type {number} */ to) => {
    store.pause();
    store.seek(to);
  };
  return html`
    <div class="scrubber" role="group" aria-label="Replay">
      ${iconButton("back", "Previous line", () => store.step(-1), { disabled: shown <= 1 })}
      ${iconButton(playing ? "pause" : "play", playing ? "Pause the replay" : "Replay", () => (playing ? store.pause() : store.play()), { strong: true })}
      ${iconButton("forward", "Next line", () => store.step(1), { disabled: shown >= events.length })}
      ${listening ? iconButton(listening.on ? "stop" : "sound", listening.on ? "Stop listening" : "Listen", listening.toggle, { pressed: listening.on }) : null}
      <input type="range" min="1" max=${Math.max(1, events.length)} .value=${String(shown)} aria-label="Place in the run" aria-valuetext=${`Event ${shown} of ${events.length}`}
        @input=${(/** @type {any} */ event) => seek(Number(event.target.value))} />
      <span class="scrub-time">${clock(at)} / ${clock(times.at(-1) ?? 0)}</span>
      <label class="speed"><span class="visually-hidden">Speed</span>
        <select @change=${(/** @type {any} */ event) => (store.speed.value = Number(event.target.value))}>
          ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${store.speed.value === speed}>${speed}×</option>`)}</select></label>
      <button type="button" class=${`button ${store.live && !over ? "is-live" : "quiet"}`} ?disabled=${store.live} @click=${() => seek(events.length)}>${over ? "End" : "Live"}</button>
    </div>`;
}
