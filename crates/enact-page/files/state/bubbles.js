// Where bubbles stand on a map: near who speaks, never over each other, and over as few people as can be.

/** @typedef {{ key: number, x: number, y: number, width: number, height: number }} Wanted somebody at `x`, `y` says something of this size */
/** @typedef {{ left: number, top: number }} Corner */

/** Places beside a speaker in the order in which they are liked: shares of the bubble's width to the left, and above (-1), below (1) or beside (0). */
const PLACES = [[0.5, -1], [0.5, 1], [0.15, -1], [0.85, -1], [0.15, 1], [0.85, 1], [0, 0], [1, 0], [0.5, -2], [0.5, 2]];

/**
 * A corner for each bubble that there is room for; the newest, which are last, come first. A bubble stays where it was for
 * as long as it can: one that jumps cannot be read.
 * @param {Wanted[]} wanted @param {{ width: number, height: number }} room @param {{ above: number, below: number }} gap between a speaker and its bubble: below is a name
 * @param {readonly (readonly number[])[]} heads places that are better left free @param {Map<number, number>} before which place each had
 * @returns {Map<number, Corner>}
 */
export function placeBubbles(wanted, room, gap, heads, before) {
  /** @type {Map<number, Corner>} */
  const placed = new Map();
  /** @type {(Corner & { width: number, height: number })[]} */
  const taken = [];
  for (const bubble of wanted.toReversed()) {
    const kept = before.get(bubble.key);
    let [best, fewest, chosen] = [/** @type {Corner | null} */ (null), Infinity, -1];
    for (const [index, place] of PLACES.entries()) {
      const corner = cornerAt(bubble, place, room, gap);
      const box = { ...corner, width: bubble.width, height: bubble.height };
      if (taken.some((other) => overlaps(box, other))) continue;
      // A hidden head counts as much as two places that are liked less; staying as much as three.
      const cost = index + 2 * heads.filter(([x, y]) => isIn(x, y, box)).length - (index === kept ? 3 : 0);
      if (cost < fewest) [best, fewest, chosen] = [corner, cost, index];
    }
    if (!best) {
      before.delete(bubble.key);
      continue;
    }
    before.set(bubble.key, chosen);
    placed.set(bubble.key, best);
    taken.push({ ...best, width: bubble.width, height: bubble.height });
  }
  return placed;
}

/** @param {Wanted} bubble @param {number[]} place @param {{ width: number, height: number }} room @param {{ above: number, below: number }} gap @returns {Corner} */
function cornerAt({ x, y, width, height }, [toTheLeft, above], room, gap) {
  const left = above ? x - width * toTheLeft : toTheLeft ? x - gap.above - width : x + gap.above;
  const far = Math.abs(above) > 1 ? height : 0;
  const top = above < 0 ? y - gap.above - height - far : above > 0 ? y + gap.below + far : y - height / 2;
  return { left: within(left, room.width - width), top: within(top, room.height - height) };
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(2, Math.min(value, most - 2));

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @param {Box} one @param {Box} other */
const overlaps = (one, other) => one.left < other.left + other.width && other.left < one.left + one.width && one.top < other.top + other.height && other.top < one.top + one.height;

/** @param {number} x @param {number} y @param {Box} box */
const isIn = (x, y, { left, top, width, height }) => x > left && x < left + width && y > top && y < top + height;
