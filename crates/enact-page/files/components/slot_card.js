// One slot of a chorus: who it is, and its three turns, of which one at a time is shown in full.

import { html } from "../lib/html.js";
import { TURNS, commentsTo, find } from "../state/chorus.js";
import { icon } from "./icon.js";

/** @typedef {import("../state/chorus.js").Chorus} Chorus */

/**
 * @param {{
 *   seat: import("../state/chorus.js").Seat, chorus: Chorus, expanded: number | null, speaking: string | null,
 *   expand: (turn: number) => void, play: (path: string) => void,
 * }} options
 */
export function slotCard({ seat, chorus, expanded, speaking, expand, play }) {
  const comment = find(chorus, seat.slotId, 2);
  const received = commentsTo(chorus, seat.slotId).length;
  const label = find(chorus, seat.slotId, 1)?.label;
  return html`
    <article class="slot" data-hue=${(seat.slotId - 1) * 2} aria-label=${`Speaker ${seat.slotId}`}>
      <header>
        <h3><span class="slot-number">Speaker ${seat.slotId}</span> · ${seat.name}</h3>
        <div class="badges">
          ${label ? html`<span class="tag">${label}</span>` : null}
          ${comment?.targetSlotId ? html`<span class="tag">commented on: Speaker ${comment.targetSlotId}</span>` : null}
          ${received ? html`<span class="tag">received: ${received} ${received === 1 ? "comment" : "comments"}</span>` : null}
        </div>
      </header>
      <ol class="turns">${TURNS.map((turn) => turnRow(seat.slotId, turn, chorus, expanded === turn, speaking, expand, play))}</ol>
    </article>`;
}

/** @param {number} slotId @param {number} turn @param {Chorus} chorus @param {boolean} open @param {string | null} speaking @param {(turn: number) => void} expand @param {(path: string) => void} play */
function turnRow(slotId, turn, chorus, open, speaking, expand, play) {
  const message = find(chorus, slotId, turn);
  if (!message) return html`<li class="turn"><span class="turn-label">T${turn}</span><p class="turn-text waiting">${turn === 3 && chorus.done && !chorus.done.reason ? "Nobody commented." : null}</p></li>`;
  const isSpeaking = Boolean(message.audioPath) && speaking === message.audioPath;
  const text = message.state === "thinking" ? html`<span class="pulse" aria-hidden="true"></span><span class="visually-hidden">thinking</span>` : message.state === "failed" ? html`<span class="problem">${message.error}</span>` : message.text;
  return html`
    <li class=${`turn${open ? " open" : ""}${isSpeaking ? " speaking" : ""}`}>
      <button type="button" class="turn-label" aria-expanded=${String(open)} ?disabled=${message.state !== "said"} @click=${() => expand(turn)} aria-label=${`T${turn}: turn ${turn} of Speaker ${slotId}, ${open ? "shown in full" : "show in full"}`}>T${turn}</button>
      <p class="turn-text">${message.targetSlotId && turn === 2 ? html`<span class="target">→ Speaker ${message.targetSlotId}</span> ` : null}${text}</p>
      ${message.audioPath ? html`<span class="turn-audio"><button type="button" class="icon-button" aria-label=${`Hear turn ${turn} of Speaker ${slotId}`} @click=${() => play(/** @type {string} */ (message.audioPath))}>${icon("sound")}</button><a class="tag audio-ready" href=${`/v1/audio/${message.audioPath}`} target="_blank" rel="noreferrer" title="The file">wav</a></span>` : message.audioError ? html`<span class="turn-audio"><span class="tag bad" title=${message.audioError}>no sound</span></span>` : null}
    </li>`;
}
