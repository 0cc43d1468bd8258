// One slot of a chorus: who it is, and its three turns, of which one at a time is shown in full.

import { html } from "../lib/html.js";
import { TURNS, commentsTo, find } from "../state/chorus.js";
import { iconButton } from "./icon.js";

/** @typedef {import("../state/chorus.js").Chorus} Chorus */
/** @typedef {import("../state/chorus.js").Message} Message */

/**
 * What is shown of a slot besides what was said, and what can be done with it. `speaking` is the path of what is heard now.
 * @typedef {{ speaking: string | null, expand: (turn: number) => void, play: (path: string) => void, save: (path: string) => void }} SlotActions
 */

/** @param {import("../state/chorus.js").Seat} seat @param {Chorus} chorus @param {number | null} expanded @param {SlotActions} actions */
export function slotCard({ slotId, name }, chorus, expanded, actions) {
  const comment = find(chorus, slotId, 2);
  const received = commentsTo(chorus, slotId).length;
  const label = find(chorus, slotId, 1)?.label;
  return html`
    <article class="slot" data-hue=${(slotId - 1) * 2} aria-label=${`Speaker ${slotId}`}>
      <header>
        <h3><span class="slot-number">Speaker ${slotId}</span> · ${name}</h3>
        <div class="badges">
          ${label ? html`<span class="tag">${label}</span>` : null}
          ${comment?.targetSlotId ? html`<span class="tag">commented on: Speaker ${comment.targetSlotId}</span>` : null}
          ${received ? html`<span class="tag">received: ${received} ${received === 1 ? "comment" : "comments"}</span>` : null}
        </div>
      </header>
      <ol class="turns">
        ${TURNS.map((turn) => {
          const message = find(chorus, slotId, turn);
          return message ? turnRow(message, expanded === turn, actions) : emptyRow(turn, chorus);
        })}
      </ol>
    </article>`;
}

/** @param {number} turn @param {Chorus} chorus */
function emptyRow(turn, chorus) {
  const isOver = turn === 3 && chorus.done && !chorus.done.reason;
  return html`<li class="turn"><span class="turn-label">T${turn}</span><p class="turn-text waiting">${isOver ? "Nobody commented." : null}</p></li>`;
}

/** @param {Message} message @param {boolean} open @param {SlotActions} actions */
function turnRow(message, open, actions) {
  const { turnIndex: turn, slotId, targetSlotId, audioPath } = message;
  const isSpeaking = audioPath !== undefined && actions.speaking === audioPath;
  const name = `T${turn}: turn ${turn} of Speaker ${slotId}, ${open ? "shown in full" : "show in full"}`;
  return html`
    <li class=${`turn${open ? " open" : ""}${isSpeaking ? " speaking" : ""}`}>
      <button type="button" class="turn-label" aria-expanded=${String(open)} aria-label=${name} ?disabled=${message.state !== "said"} @click=${() => actions.expand(turn)}>T${turn}</button>
      <p class="turn-text">${turn === 2 && targetSlotId ? html`<span class="target">→ Speaker ${targetSlotId}</span> ` : null}${said(message)}</p>
      ${sound(message, actions)}
    </li>`;
}

/** @param {Message} message */
function said({ state, text, error }) {
  if (state === "thinking") return html`<span class="pulse" aria-hidden="true"></span><span class="visually-hidden">thinking</span>`;
  return state === "failed" ? html`<span class="problem">${error}</span>` : text;
}

/** Hearing it, and the file itself: links send no token, so that it is fetched. @param {Message} message @param {SlotActions} actions */
function sound({ turnIndex, slotId, audioPath, audioError }, { play, save }) {
  if (!audioPath) return audioError ? html`<span class="turn-audio"><span class="tag bad" title=${audioError}>no sound</span></span>` : null;
  const fetchIt = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    save(audioPath);
  };
  return html`
    <span class="turn-audio">
      ${iconButton("sound", `Hear turn ${turnIndex} of Speaker ${slotId}`, () => play(audioPath))}
      <a class="tag audio-ready" href=${`/v1/audio/${audioPath}`} aria-label=${`wav: turn ${turnIndex} of Speaker ${slotId} as a file`} @click=${fetchIt}>wav</a>
    </span>`;
}
