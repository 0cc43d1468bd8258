import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, audioOf, commentsTo, emptyChorus, find, key, nextAudio } from "../../../crates/enact-page/files/state/chorus.js";

const KIND = { 1: "response", 2: "comment", 3: "reply" };
const slot = (turnIndex, slotId, more = {}) => ({ sessionId: "s", turnIndex, kind: KIND[turnIndex], slotId, agentId: `a${slotId}`, ...more });

function fold(events) {
  const chorus = emptyChorus();
  for (const [event, data] of events) apply(chorus, event, data);
  return chorus;
}

test("messages are kept by session, slot, turn and kind", () => {
  const chorus = fold([["slot.start", slot(1, 1)], ["slot.done", slot(1, 1, { text: "one" })], ["slot.done", slot(2, 1, { text: "two", targetSlotId: 2 })]]);
  assert.deepEqual([...chorus.messages.keys()], [key("s", 1, 1, "response"), key("s", 1, 2, "comment")]);
  assert.equal(find(chorus, 1, 1).text, "one");
  assert.equal(find(chorus, 1, 2).targetSlotId, 2);
  assert.equal(find(chorus, 1, 3), undefined);
});

test("comments are counted for the slot they are about", () => {
  const chorus = fold([1, 3].map((from) => ["slot.done", slot(2, from, { text: "x", targetSlotId: 2 })]));
  assert.equal(commentsTo(chorus, 2).length, 2);
  assert.equal(commentsTo(chorus, 1).length, 0);
});

test("an error stands at its turn, and what was said stays said when only its sound fails", () => {
  const chorus = fold([["slot.error", slot(1, 1, { error: { type: "timeout", message: "took too long" } })], ["slot.done", slot(1, 2, { text: "hello" })], ["slot.error", slot(1, 2, { error: { type: "tts_error", message: "no voice" } })]]);
  assert.deepEqual([find(chorus, 1, 1).state, find(chorus, 1, 1).error], ["failed", "took too long"]);
  assert.deepEqual([find(chorus, 2, 1).state, find(chorus, 2, 1).text, find(chorus, 2, 1).audioError], ["said", "hello", "no voice"]);
});

test("sound is played turn by turn, in the order of what was said, and waits for what is not there yet", () => {
  const chorus = fold([["slot.done", slot(1, 2, { text: "b" })], ["slot.done", slot(1, 1, { text: "a" })], ["slot.audio", slot(1, 1, { audioPath: "1" })]]);
  const played = new Set();
  assert.equal(nextAudio(chorus, played).audioPath, "1");
  played.add("1");
  assert.equal(nextAudio(chorus, played), null, "slot 2 is still to come");
  apply(chorus, "slot.done", slot(2, 1, { text: "c", targetSlotId: 2 }));
  apply(chorus, "slot.audio", slot(2, 1, { audioPath: "3" }));
  assert.equal(nextAudio(chorus, played), null, "not before the first turn is over");
  apply(chorus, "slot.audio", slot(1, 2, { audioPath: "2" }));
  apply(chorus, "turn.done", { sessionId: "s", turnIndex: 1 });
  assert.deepEqual(audioOf(chorus, 1).map(({ audioPath }) => audioPath), ["2", "1"]);
  assert.equal(nextAudio(chorus, played).audioPath, "2");
  played.add("2");
  assert.equal(nextAudio(chorus, played).audioPath, "3");
});
