// Stepping through a log: how long each event is waited for, and where a replay stands.

/** @typedef {import("./scene.js").LogEvent} LogEvent */

/** Nobody waits longer than this for the next line, however long a model took. */
const LONGEST_WAIT_MS = 6000;
/** As fast as people read aloud, and the shortest time in which a line can be taken in. */
const MS_PER_CHARACTER = 45;
const SHORTEST_LINE_MS = 900;
/** Built-in players answer at once: a gap below this says nothing of how a scene was played. */
const REAL_GAP_MS = 700;

export const SPEEDS = [1, 2, 4, 8, 16];

/** What is waited for: kinds of events that somebody sees appear, in scenes, episodes and fields. */
const SHOWN = new Set(["line_added", "message", "choice_prompt", "episode_complete", "line", "world_event"]);

/** @param {LogEvent} event */
const textOf = ({ body }) => body?.reply?.content ?? body?.reply?.nonverbal ?? body?.text ?? body?.content ?? "";

/**
 * When each event is shown, in milliseconds from the beginning, at the speed of people: with the pauses that there were,
 * or, where the players needed none, with the time in which the line before can be read.
 * @param {readonly LogEvent[]} events
 * @returns {number[]}
 */
export function timeline(events) {
  let now = 0;
  let reading = 0;
  let before = events[0]?.at ?? 0;
  return events.map((event) => {
    if (SHOWN.has(event.kind)) {
      const gap = event.at - before;
      now += Math.min(LONGEST_WAIT_MS, gap >= REAL_GAP_MS ? Math.max(gap, reading / 2) : reading);
      before = event.at;
      reading = Math.max(SHORTEST_LINE_MS, textOf(event).length * MS_PER_CHARACTER);
    }
    return now;
  });
}

/** How many events are shown at a time of the timeline. @param {readonly number[]} times @param {number} now */
export function shownAt(times, now) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= now) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next place, in this direction, at which somebody sees a difference. @param {readonly LogEvent[]} events @param {number} shown @param {1 | -1} direction */
export function step(events, shown, direction) {
  if (direction > 0) {
    for (let next = shown; next < events.length; next++) if (SHOWN.has(events[next].kind)) return next + 1;
    return events.length;
  }
  for (let next = shown - 2; next >= 0; next--) if (SHOWN.has(events[next].kind)) return next + 1;
  return Math.min(1, events.length);
}
