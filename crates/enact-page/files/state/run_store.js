// One run that is watched: its events as they come, how many of them are shown, and what they amount to.
//
// Live, everything that has arrived is shown. A replay shows a part of it, forwards and backwards. Both draw from the
// same fold, so that a replay of a run looks as the run did.

import { signal } from "../lib/signal.js";
import { address } from "../lib/api.js";
import { follow } from "../lib/stream.js";
import { shownAt, step, timeline } from "./replay.js";

/** @typedef {import("./scene.js").LogEvent} LogEvent */
/** @typedef {import("../lib/stream.js").Connection} Connection */

/**
 * A production's fold: an empty state, and what an event does to it. `times` says when each event is shown in a replay,
 * where that is not as fast as people read.
 * @template S
 * @typedef {{
 *   empty: () => S, apply: (state: S, event: LogEvent) => void, applyDelta?: (state: S, delta: any) => void,
 *   times?: (events: readonly LogEvent[]) => number[],
 * }} Fold
 */

/** @template S */
export class RunStore {
  /** @type {LogEvent[]} */
  events = [];
  /** How many of the events are shown. */
  shown = 0;
  /** Whether new events are shown as they come. */
  live = true;
  /** Rises with every change: whoever draws reads it. */
  changed = signal(0);
  connection = signal(/** @type {Connection} */ ("connecting"));
  /** @type {import("../lib/signal.js").Signal<Error | null>} */
  error = signal(/** @type {Error | null} */ (null));
  playing = signal(false);
  speed = signal(1);
  /** @type {() => void} */
  #stopFollowing = () => {};
  #timer = 0;
  /** Whether text is shown that is not in the log yet. */
  #provisional = false;
  /** @type {number[]} */
  #times = [];

  /** @param {Fold<S>} fold */
  constructor(fold) {
    this.fold = fold;
    this.state = fold.empty();
  }

  /** Follows a run on the server, from its first event on. @param {string} run */
  follow(run) {
    this.#stopFollowing = follow(address("/v1/runs/{id}/events", { id: run }), {
      isLast: ({ event }) => event === "end",
      onEvents: (events) => {
        for (const { id, event, data } of events) {
          if (id !== undefined) this.#push(data);
          else if (event === "delta" && this.live) {
            this.#provisional = true;
            this.fold.applyDelta?.(this.state, data);
          }
        }
        this.#bump();
      },
      onConnection: (connection, error) => {
        this.connection.value = connection;
        this.error.value = error ?? null;
        // Text that was still being written is lost with its connection: what comes of it is in the log.
        if (connection === "lost" && this.live && this.#provisional) this.#refold(this.events.length);
      },
    });
  }

  /** Shows a log that is already there. @param {LogEvent[]} events */
  load(events) {
    for (const event of events) this.#push(event);
    this.connection.value = "ended";
    this.#bump();
  }

  stop() {
    this.#stopFollowing();
    this.pause();
  }

  /** @param {LogEvent} event */
  #push(event) {
    // A stream that was taken up again may repeat nothing, and a log has no gaps: anything else is not of this run.
    if (event.seq !== this.events.length) return;
    this.events.push(event);
    this.#times = [];
    if (!this.live) return;
    this.fold.apply(this.state, event);
    this.shown = this.events.length;
  }

  #bump() {
    this.changed.value = this.changed.peek() + 1;
  }

  /** @param {number} shown */
  #refold(shown) {
    this.#provisional = false;
    this.state = this.fold.empty();
    this.shown = shown;
    for (const event of this.events.slice(0, shown)) this.fold.apply(this.state, event);
    this.#bump();
  }

  /** Shows the first so many events. At the end of a run that goes on, it is live again. @param {number} shown */
  seek(shown) {
    const wanted = Math.max(0, Math.min(shown, this.events.length));
    this.live = wanted === this.events.length;
    if (wanted < this.shown) return this.#refold(wanted);
    for (const event of this.events.slice(this.shown, wanted)) this.fold.apply(this.state, event);
    this.shown = wanted;
    this.#bump();
  }

  /** @param {1 | -1} direction */
  step(direction) {
    this.pause();
    this.seek(step(this.events, this.shown, direction));
  }

  /** When each event is shown, from the beginning. */
  get times() {
    if (this.#times.length !== this.events.length) this.#times = (this.fold.times ?? timeline)(this.events);
    return this.#times;
  }

  /** Plays on from what is shown; from the beginning, if that is everything. */
  play() {
    if (this.shown === this.events.length) this.seek(1);
    this.playing.value = true;
    let position = this.times[Math.max(0, this.shown - 1)] ?? 0;
    let before = performance.now();
    clearInterval(this.#timer);
    this.#timer = /** @type {any} */ (setInterval(() => {
      const now = performance.now();
      position += (now - before) * this.speed.peek();
      before = now;
      const shown = shownAt(this.times, position);
      if (shown > this.shown) this.seek(shown);
      if (this.shown === this.events.length) this.pause();
    }, 40));
  }

  pause() {
    clearInterval(this.#timer);
    this.playing.value = false;
  }
}
