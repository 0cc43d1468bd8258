// How tense a scene is: what the director hears in it after each beat. Its rules are the server's, and the log has none of
// it: it comes with what the server tells of a run, and with one that was exported.

/** @typedef {{ round: number, tension: number, why: string[] }} TenseBeat from 0 to 100, and what moved it */

/** Of the beats that are shown, from 0 to 1. @param {TenseBeat[]} tension @param {{ beat: number }[]} beats */
export function shownTension(tension, beats) {
  const last = beats.at(-1)?.beat ?? -1;
  return tension.filter(({ round }) => round <= last).map(({ round, tension }) => ({ x: round, y: tension / 100 }));
}

/** What moved it last, in words. @param {TenseBeat[]} tension @param {{ beat: number }[]} beats */
export function movedBy(tension, beats) {
  const last = beats.at(-1)?.beat ?? -1;
  return tension.findLast(({ round, why }) => round <= last && why.length)?.why ?? [];
}
