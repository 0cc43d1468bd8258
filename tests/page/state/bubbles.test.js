import assert from "node:assert/strict";
import { test } from "node:test";

import { placeBubbles } from "../../../crates/enact-page/files/state/bubbles.js";

const room = { width: 600, height: 300 };
const gap = { above: 12, below: 24 };
const bubble = (key, x, y) => ({ key, x, y, width: 180, height: 50 });
const overlap = ([one, other]) => Math.abs(one.left - other.left) < 180 && Math.abs(one.top - other.top) < 50;

test("a bubble stands above who speaks, and below where there is no room above", () => {
  assert.deepEqual(placeBubbles([bubble(1, 300, 200)], room, gap, [], new Map()).get(1), { left: 210, top: 138 });
  assert.deepEqual(placeBubbles([bubble(1, 300, 40)], room, gap, [[300, 40]], new Map()).get(1), { left: 210, top: 64 });
});

test("bubbles of people side by side do not cover each other, and all of them are inside", () => {
  const wanted = [bubble(1, 300, 150), bubble(2, 320, 150), bubble(3, 340, 160)];
  const corners = [...placeBubbles(wanted, room, gap, [], new Map()).values()];
  assert.equal(corners.length, 3);
  for (const pair of [[0, 1], [0, 2], [1, 2]]) assert.ok(!overlap(pair.map((at) => corners[at])), pair.join());
  for (const { left, top } of corners) assert.ok(left >= 0 && top >= 0 && left <= 420 && top <= 250);
});

test("the newest is shown where there is room for one alone", () => {
  const corners = placeBubbles([bubble(1, 90, 30), bubble(2, 95, 30)], { width: 190, height: 60 }, gap, [], new Map());
  assert.deepEqual([...corners.keys()], [2]);
});

test("a bubble stays where it is while somebody passes", () => {
  const before = new Map();
  const still = placeBubbles([bubble(1, 300, 150)], room, gap, [], before).get(1);
  assert.deepEqual(placeBubbles([bubble(1, 300, 150)], room, gap, [[300, 110]], before).get(1), still);
  assert.notDeepEqual(placeBubbles([bubble(1, 300, 150)], room, gap, [[300, 110]], new Map()).get(1), still);
});
