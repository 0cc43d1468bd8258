// What screens and larger components are made of: an element that draws itself again when a signal it has read changes.

import { render } from "./html.js";
import { effect } from "./signal.js";

/** A hidden tab gets no animation frames, but has to be up to date when its user looks again. */
const HIDDEN_FRAME_MS = 250;

/** @type {Set<() => void>} */
const nextFrame = new Set();

/** Draws at most once a frame, however many events arrive in it. @param {() => void} draw */
function scheduleFrame(draw) {
  if (nextFrame.size === 0) {
    if (document.visibilityState === "hidden") setTimeout(drawFrame, HIDDEN_FRAME_MS);
    else requestAnimationFrame(drawFrame);
  }
  nextFrame.add(draw);
}

function drawFrame() {
  const now = [...nextFrame];
  nextFrame.clear();
  for (const draw of now) draw();
}

export class View extends HTMLElement {
  /** @type {(() => void)[]} */
  #cleanups = [];

  connectedCallback() {
    this.connected();
    this.cleanup(effect(() => render(this.view(), this), scheduleFrame));
  }

  disconnectedCallback() {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }

  /** Begins what lasts as long as the element is shown. */
  connected() {}

  /** What it shows. @returns {unknown} */
  view() {
    return null;
  }

  /** Something to be done when the element goes away. @param {() => void} work */
  cleanup(work) {
    this.#cleanups.push(work);
  }

  /** @param {EventTarget} target @param {string} kind @param {(event: any) => void} listener */
  listen(target, kind, listener) {
    target.addEventListener(kind, listener);
    this.cleanup(() => target.removeEventListener(kind, listener));
  }
}
