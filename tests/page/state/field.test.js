// A field folded from its snapshot and what changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FOLD, apply, concerning, fieldClock, nearest, progress, recall, standing } from "../../../crates/enact-page/files/state/field.js";
import { RunStore } from "../../../crates/enact-page/files/state/run_store.js";

const person = (id, x, y, more = {}) => ({ id: `entity_${id}`, name: `Person ${id}`, glyph: "@", type: "npc", x, y, state: "IDLE", interaction: null, needs: { hunger: 50 }, ...more });
const told = (more = {}) => ({
  title: "A room", map: ["#####", "#...#", "#####"], tick: 10, lastTick: 600, speed: 1, paused: false, kinds: ["sit", "conversation"],
  entities: [person(0, 1, 1), person(1, 3, 1), { id: "entity_2", name: "stool", glyph: "S", type: "item", x: 2, y: 1 }],
  interactions: [], bids: [], ...more,
});

test("an entity moves from where it is drawn to where it is, until the next change", () => {
  const field = standing(told(), 1000);
  apply(field, "delta", { tick: 12, entities: [{ id: "entity_0", x: 2, y: 1, state: "MOVING", interaction: null }] }, 1200);
  const entity = field.entities.get(0);
  assert.equal(field.interval, 200);
  assert.deepEqual([progress(entity, 1200), progress(entity, 1300), progress(entity, 9000)], [0, 0.5, 1]);
  assert.deepEqual([entity.name, entity.needs.hunger, entity.state], ["Person 0", 50, "MOVING"]);
  // In the middle of one movement the next begins where it is drawn.
  apply(field, "delta", { tick: 14, entities: [{ id: "entity_0", x: 3, y: 1, state: "MOVING", interaction: null }] }, 1300);
  assert.equal(entity.fromX, 1.5);
  assert.equal(progress(entity, 1300), 0);
});

test("who is gone is gone, and who comes is there", () => {
  const field = standing(told(), 0);
  apply(field, "delta", { tick: 12, entities: [{ id: "entity_1", gone: true }, person(3, 1, 1)] }, 100);
  assert.deepEqual([...field.entities.keys()], [0, 2, 3]);
});

test("bids are open, then settled, then forgotten", () => {
  const field = standing(told(), 0);
  const bid = { bid: 4, by: 0, kind: 1, item: null, invited: [{ who: 1, accepted: false }] };
  apply(field, "delta", { tick: 12, entities: [], bids: [bid] }, 200);
  assert.equal(field.bids.length, 1);
  apply(field, "bid_settled", { tick: 13, bid: 4, by: 0, kind: 1, with: [1], outcome: { rejected: { reason: "no_answer" } } }, 300);
  assert.deepEqual(field.bids, []);
  assert.deepEqual(field.settled, [{ by: 0, to: [1], accepted: false, at: 300 }]);
  assert.match(field.happenings[0].text, /conversation came to nothing: no answer/);
  apply(field, "delta", { tick: 30, entities: [] }, 2000);
  assert.deepEqual(field.settled, []);
});

test("what is said stands over its speaker for a while, and is cut where somebody breaks in", () => {
  const field = standing(told(), 0);
  apply(field, "interaction_started", { tick: 20, id: 7, kind: 1, by: 0, members: [0, 1] }, 0);
  apply(field, "line", { tick: 21, id: 7, line: 1, who: 0, reply: { content: "Good evening to you." } }, 0);
  apply(field, "line_cut", { tick: 22, line: 1, at: 4, by: 1 }, 0);
  assert.deepEqual([field.spoken.get(7).text, field.spoken.get(7).heard], ["Good evening to you.", 4]);
  assert.deepEqual(concerning(field, 1).map(({ text }) => text), ["Good—", "conversation"]);
  assert.deepEqual(concerning(field, 2), []);
  apply(field, "delta", { tick: 300, entities: [] }, 0);
  assert.equal(field.spoken.size, 0);
  apply(field, "interaction_ended", { tick: 301, id: 7, reason: "insufficient_participants" }, 0);
  assert.equal(field.interactions.size, 0);
});

test("a cut counts the bytes of the words alone", () => {
  const field = standing(told(), 0);
  apply(field, "interaction_started", { tick: 20, id: 7, kind: 1, by: 0, members: [0, 1] }, 0);
  apply(field, "line", { tick: 21, id: 7, line: 1, who: 0, reply: { nonverbal: "sighs", content: "Égal, really" }, whispered_to: 1 }, 0);
  apply(field, "line_cut", { tick: 22, line: 1, at: new TextEncoder().encode("Égal").length, by: 1 }, 0);
  const { text, heard } = field.spoken.get(7);
  assert.equal(text.slice(0, heard), "(sighs) Égal");
  assert.equal(concerning(field, 0)[0].text, "(sighs) Égal— (whispered to Person 1)");
});

test("a snapshot in the middle knows who does what", () => {
  const field = standing(told({ interactions: [{ id: "conv_7", members: ["entity_0"], context: { interaction_name: "sit", entity_name: "stool", entity_position: { x: 2, y: 1 } } }], paused: true }), 0);
  assert.deepEqual(field.interactions.get(7), { id: 7, kind: "sit", item: 2, members: [0] });
  assert.equal(field.paused, true);
  apply(field, "continued", {}, 0);
  apply(field, "done", { reason: "completed", tick: 600 }, 0);
  assert.deepEqual([field.paused, field.ended, field.tick], [false, "completed", 600]);
});

test("a click finds people before things, and nobody far away", () => {
  const field = standing(told({ entities: [person(0, 1, 1), { id: "entity_2", name: "stool", glyph: "S", type: "item", x: 1, y: 1 }] }), 0);
  assert.equal(nearest(field, 1.2, 1.1, 0)?.id, 0);
  assert.equal(nearest(field, 3.5, 1, 0), null);
});

test("time is told in minutes and seconds of the field", () => {
  assert.deepEqual([0, 59, 600, 754].map(fieldClock), ["0:00", "0:05", "1:00", "1:15"]);
});

test("events that are not known change nothing", () => {
  const field = standing(told(), 0);
  const before = JSON.stringify([...field.entities]);
  apply(field, "something_new", { tick: 1 }, 0);
  assert.equal(JSON.stringify([...field.entities]), before);
});

test("who is watched is known, and that nobody is", () => {
  const field = standing(told({ minds: true, watched: "entity_1" }), 0);
  assert.deepEqual([field.minds, field.watched], [true, 1]);
  apply(field, "watched", { entity: null }, 0);
  assert.equal(field.watched, null);
  apply(field, "watched", { entity: "entity_0" }, 0);
  assert.equal(field.watched, 0);
});

test("a field in a file is replayed in its own time, forwards and backwards", () => {
  const walk = (tick, x) => ({ event: "delta", data: { tick, entities: [{ id: "entity_0", x, y: 1, state: "MOVING", interaction: null }] } });
  const events = [{ event: "snapshot", data: told({ tick: 0 }) }, walk(2, 2), walk(4, 3), { event: "world_event", data: { tick: 4, text: "It rains." } }, { event: "done", data: { reason: "completed", tick: 30 } }];
  const store = new RunStore(FOLD);
  store.load(events.map(({ event, data }, seq) => ({ seq, at: 0, kind: event, body: data })));
  assert.deepEqual(store.times, [0, 200, 400, 400, 3000]);
  assert.deepEqual([store.state.title, store.state.entities.get(0).x, store.state.ended], ["A room", 3, "completed"]);
  store.seek(2);
  assert.deepEqual([store.state.entities.get(0).x, store.state.ended, store.state.happenings], [2, null, []]);
  store.step(1);
  assert.deepEqual([store.shown, store.state.happenings.map(({ text }) => text)], [4, ["It rains."]]);
});

test("what is gone is still spoken of by its name", () => {
  const field = standing(told(), 0);
  apply(field, "delta", { tick: 12, entities: [{ id: "entity_2", gone: true }] }, 100);
  apply(field, "removed", { tick: 12, id: 2 }, 100);
  apply(field, "removed", { tick: 12, id: 99 }, 100);
  assert.deepEqual(field.happenings.map(({ text }) => text), ["stool is taken away."]);
});

test("an interaction that everybody has left ends without a word", () => {
  const field = standing(told(), 0);
  apply(field, "interaction_started", { tick: 1, id: 7, kind: 0, by: 0, item: 2, members: [0] }, 0);
  apply(field, "participant_left", { tick: 5, id: 7, who: 0 }, 0);
  apply(field, "interaction_ended", { tick: 5, id: 7, reason: "insufficient_participants" }, 0);
  assert.deepEqual(field.happenings.map(({ text }) => text), ["sit: stool", "leaves sit"]);
});

test("who comes late is told what happened, and where everybody is now", () => {
  const [field, past] = [standing(told({ tick: 100 }), 0), standing(told({ tick: 100 }), 0)];
  const line = (tick, number, id) => ({ event: "line", data: { tick, id, line: number, who: 0, reply: { content: "Good evening." } } });
  recall(field, past, [{ event: "delta", data: { tick: 20, entities: [{ id: "entity_0", x: 3, y: 1 }] } }, { event: "interaction_started", data: { tick: 20, id: 7, kind: 1, by: 0, members: [0, 1] } }, line(21, 1, 7)]);
  recall(field, past, [line(95, 2, 8)]);
  assert.deepEqual(field.happenings.map(({ text }) => text), ["conversation", "Good evening.", "Good evening."]);
  assert.deepEqual([...field.spoken.values()].map((spoken) => spoken.line), [2], "what was said long ago is not said now");
  assert.deepEqual([field.entities.get(0).x, field.interactions.size, field.tick], [1, 0, 100]);
  apply(field, "world_event", { tick: 101, text: "It rains." }, 0);
  assert.equal(new Set(field.happenings.map(({ key }) => key)).size, 4);
});
