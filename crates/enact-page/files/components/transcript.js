// The transcript as a printed script page: a name in the margin, what is said beside it.
//
// It grows at its end. Lines that are there are not drawn again, and a long run appears a part at a time, so that no
// frame has to wait for all of it.

import { html, repeat } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { heardAndUnheard, provisionalText, role } from "../state/scene.js";
import { icon } from "./icon.js";

/** @typedef {import("../state/scene.js").Line} Line */
/** @typedef {import("../state/scene.js").Scene} Scene */

/** How many lines are added in one frame: some ten milliseconds' worth. */
const LINES_PER_FRAME = 24;
/** How near its end a page counts as being read along. */
const NEAR_END_PX = 160;
/** What stands over the end of the page: the scrubber, and the part of one who plays along. */
const DOCK_PX = 190;

export class Transcript extends View {
  /** @type {import("../lib/signal.js").Signal<{ scene: Scene, version: number } | null>} */
  #shown = signal(/** @type {{ scene: Scene, version: number } | null} */ (null));
  #limit = signal(LINES_PER_FRAME);
  #growing = false;
  silences = signal(false);
  marked = signal(/** @type {number | null} */ (null));
  /** Whether the page moves along with what is new. */
  followEnd = true;
  /** What can be done with a line. @type {(line: Line) => unknown} */
  tools = () => null;
  /** The first line that two branches do not share. @type {number | null} */
  differsFrom = null;

  /** @param {{ scene: Scene, version: number }} shown */
  set shown(shown) {
    this.#shown.value = shown;
  }

  connected() {
    this.listen(document, "scroll", () => (this.followEnd = this.#belowView() < NEAR_END_PX));
  }

  /** Shows a line, and marks it for a moment. @param {number} id */
  jumpTo(id) {
    this.followEnd = false;
    this.marked.value = id;
    requestAnimationFrame(() => requestAnimationFrame(() => this.querySelector(`#line-${id}`)?.scrollIntoView({ block: "center", behavior: "smooth" })));
  }

  view() {
    const shown = this.#shown.value;
    if (!shown) return null;
    const { scene } = shown;
    const all = this.silences.value;
    const wanted = scene.lines.filter(({ kind, why }) => all || (kind !== "silence" && (kind !== "note" || why === "steered")));
    const limit = this.#limit.value;
    if (wanted.length > limit) this.#grow();
    const lines = withBeats(wanted.slice(0, limit));
    this.#keepEnd();
    const salt = `${scene.cast.length}/${this.marked.value}/${this.differsFrom}`;
    return html`
      <div class="script-head">
        <p class="script-setting">${scene.setting}</p>
      </div>
      <ol class="lines" aria-label="Transcript">
        ${repeat(lines, (item) => item.line.id, (item) => this.#line(item.line, scene, item.opens), salt)}
        ${wanted.length <= limit ? [...scene.thinking.values()].filter(({ text }) => provisionalText(text)).map((thinking) => provisional(thinking, scene)) : null}
      </ol>
      <div class="thinking" aria-live="off">${thinkingNow(scene)}</div>
      ${scene.ended ? html`<p class="script-end">End of scene</p>` : null}`;
  }

  #grow() {
    if (this.#growing) return;
    this.#growing = true;
    requestAnimationFrame(() => {
      this.#growing = false;
      this.#limit.value = this.#limit.peek() + LINES_PER_FRAME;
    });
  }

  /** How much of the page is below what can be seen, above the dock. */
  #belowView() {
    return this.getBoundingClientRect().bottom - (innerHeight - DOCK_PX);
  }

  #keepEnd() {
    if (!this.followEnd || !this.hasAttribute("follows")) return;
    requestAnimationFrame(() => {
      const below = this.#belowView();
      if (this.followEnd && below > 0) scrollBy({ top: below, behavior: "instant" });
    });
  }

  /** @param {Line} line @param {Scene} scene @param {boolean} opens whether it is the first of its beat */
  #line(line, scene, opens) {
    const who = line.who ? role(scene, line.who) : undefined;
    const cutter = line.cutBy ? role(scene, line.cutBy) : undefined;
    const [heard, unheard] = heardAndUnheard(line);
    const marks = { "is-cut": line.cutBy, cuts: line.cuts, marked: line.id === this.marked.peek(), differs: line.id === this.differsFrom, opens };
    const classes = ["line", line.kind, ...Object.entries(marks).filter(([, on]) => on).map(([name]) => name)].join(" ");
    const tools = this.tools(line);
    const number = opens ? html`<span class="beat-number" id=${`beat-${line.beat}`} title=${`Beat ${line.beat}`}><span class="visually-hidden">Beat </span>${line.beat}</span>` : null;
    if (line.kind === "world" || line.kind === "system") {
      const lead = line.kind === "world" ? html`${icon("world")}<span class="visually-hidden">Event: </span>` : null;
      return html`<li class=${classes} id=${`line-${line.id}`}>${number}<p class="said">${lead}${line.text}</p></li>`;
    }
    if (line.kind === "note") {
      const lead = line.who ? `Whispered to ${who?.display ?? line.who}: ` : "Note to all: ";
      return html`<li class=${classes} id=${`line-${line.id}`}>${number}<p class="said">${icon(line.who ? "whisper" : "note")} ${lead}${line.text}</p></li>`;
    }
    return html`
      <li class=${classes} id=${`line-${line.id}`} data-hue=${who?.hue} tabindex=${tools ? "0" : null}>
        ${number}<p class="name">${who?.display ?? line.who}</p>
        <div class="body">
          ${manner(line)}${line.nonverbal ? html`<p class="action">${line.nonverbal}</p>` : null}
          ${line.text ? html`<p class="said">${line.cuts ? CUTS_IN : null}${heard}${line.cutBy ? cut(unheard, cutter?.display ?? line.cutBy, cutter?.hue) : null}</p>` : null}
        </div>
        ${tools}
      </li>`;
  }
}

/** How a line begins that cuts another. */
const CUTS_IN = html`<span class="cut-in" aria-hidden="true">/</span><span class="visually-hidden">interrupts: </span>`;

/** How a line ends that was cut, in the colour of who cut it. @param {string} unheard @param {string} by @param {number | undefined} hue */
const cut = (unheard, by, hue) => html`<span class="cut-mark" data-hue=${hue} title=${`Interrupted by ${by}`}>&thinsp;/</span><span
  class="visually-hidden"> interrupted by ${by}; not heard: </span><span class="unheard">${unheard}</span><span
  class="cut-join" data-hue=${hue} aria-hidden="true"></span>`;

/** To whom and how it is said. @param {Line} line */
function manner(line) {
  const told = line.kind === "silence" ? ["says nothing"] : [line.target && line.kind === "line" ? `to ${line.target}` : "", line.tone !== "neutral" ? line.tone : ""];
  const text = told.filter(Boolean).join(", ");
  return text ? html`<span class="manner">(${text})</span> ` : null;
}

/** A line as it is drawn: the first of a beat has the beat's number beside it. @typedef {{ line: Line, opens: boolean }} Item */

// The same object each time for the same line, so that it is seen to be the same.
/** @type {[WeakMap<Line, Item>, WeakMap<Line, Item>]} */
const items = [new WeakMap(), new WeakMap()];

/** @param {Line[]} lines */
function withBeats(lines) {
  return lines.map((line, index) => {
    const opens = lines[index - 1]?.beat !== line.beat;
    const known = items[Number(opens)].get(line) ?? { line, opens };
    items[Number(opens)].set(line, known);
    return known;
  });
}

/** @param {import("../state/scene.js").Thinking} thinking @param {Scene} scene */
function provisional(thinking, scene) {
  const who = role(scene, thinking.actor);
  return html`
    <li class="line provisional" data-hue=${who?.hue}><p class="name">${who?.display ?? thinking.actor}</p>
      <div class="body"><p class="said">${provisionalText(thinking.text)}<span class="caret" aria-hidden="true"></span></p></div></li>`;
}

/** @param {Scene} scene */
function thinkingNow(scene) {
  const waiting = [...scene.thinking.values()].filter(({ text }) => !provisionalText(text));
  if (scene.paused && !scene.ended) return html`<p class="thinker">Paused</p>`;
  if (!waiting.length || scene.ended) return null;
  return waiting.map(({ actor, human }) => {
    const who = role(scene, actor);
    return html`<span class="thinker" data-hue=${who?.hue}><span class="pulse" aria-hidden="true"></span>${who?.display ?? actor} ${human ? "is asked" : "is thinking"}</span>`;
  });
}

customElements.define("enact-transcript", Transcript);
