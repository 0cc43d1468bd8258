import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { apply, applyDelta, charactersIn, emptyScene, heardAndUnheard, placeInBeat, provisionalText, sharedLines } from "../../../crates/enact-page/files/state/scene.js";
import { movedBy, shownTension } from "../../../crates/enact-page/files/state/tension.js";

const logs = new URL("../../logs/", import.meta.url);
const read = (name) => readFileSync(new URL(name, logs), "utf8").trim().split("\n").map((line) => JSON.parse(line));

function fold(events) {
  const scene = emptyScene();
  for (const event of events) apply(scene, event);
  return scene;
}

for (const name of ["0.1.0", "0.1.0-language-models", "0.1.0-troubled"]) {
  test(`${name}: the page shows what the transcript says`, () => {
    const scene = fold(read(`${name}.jsonl`));
    const transcript = readFileSync(new URL(`${name}.txt`, logs), "utf8").replace(/\s+/g, " ");
    assert.ok(scene.lines.length > 3);
    for (const line of scene.lines.filter(({ kind, text }) => kind === "line" && text)) {
      const [heard] = heardAndUnheard(line);
      assert.ok(transcript.includes(heard.trim().replace(/\s+/g, " ")), heard);
    }
    assert.equal(scene.thinking.size, 0);
    assert.ok(scene.ended);
  });

  test(`${name}: any prefix can be folded, and lines only ever grow`, () => {
    const events = read(`${name}.jsonl`);
    const scene = emptyScene();
    let before = 0;
    for (const event of events) {
      apply(scene, event);
      assert.ok(scene.lines.length >= before);
      before = scene.lines.length;
    }
  });
}

const began = { seq: 0, at: 0, kind: "began", body: { setup: { name: "x", cast: [{ name: "alice", display: "Alice", model: "m" }, { name: "bob", display: "Bob", model: "m" }], goals: ["Bob apologizes"], models: { m: { price: { uncached: 1000, cacheRead: 100, cacheWrite: 1250, output: 5000 } } } } } };
const opened = { seq: 1, at: 10, kind: "beat_opened", body: { beat: 0, to: ["alice", "bob"] } };
const said = (seq, who, content, more = {}) => ({ seq, at: seq * 100, kind: "line_added", body: { by: "actor", who, reply: { action: "speak", content, ...more } } });

test("a cut is in characters, and meets the line that made it", () => {
  const scene = fold([began, opened, said(2, "alice", "Žižek said “naïve” things"), { seq: 3, at: 300, kind: "line_cut", body: { line: 2, at: new TextEncoder().encode("Žižek said “naïve”").length, by: "bob" } }, said(4, "bob", "Stop.", { action: "interrupt" })]);
  assert.deepEqual(heardAndUnheard(scene.lines[0]), ["Žižek said “naïve”", " things"]);
  assert.equal(scene.lines[0].cutBy, "bob");
  assert.equal(scene.lines[1].cuts, 2);
});

test("a line that is cut is a new object, and others stay the same", () => {
  const scene = fold([began, opened, said(2, "alice", "One two"), said(3, "bob", "Three")]);
  const [first, second] = scene.lines;
  apply(scene, { seq: 4, at: 1, kind: "line_cut", body: { line: 2, at: 3, by: "bob" } });
  assert.notEqual(scene.lines[0], first);
  assert.equal(scene.lines[1], second);
});

test("bytes are counted as the log counts them", () => {
  for (const [text, bytes, characters] of [["abc", 2, 2], ["é!", 2, 1], ["👍 ok", 4, 2], ["abc", 99, 3]]) assert.equal(charactersIn(text, bytes), characters, text);
});

test("silences stay out of what was said, and are there on demand", () => {
  const scene = fold([began, opened, { seq: 2, at: 5, kind: "asked", body: { call: 1, actor: "bob", model: "m" } }, { seq: 3, at: 9, kind: "replied", body: { call: 1, actor: "bob", reply: { action: "silent", nonverbal: "looks away" }, usage: {}, tookMs: 4 } }]);
  assert.deepEqual(scene.lines.map(({ kind, nonverbal }) => [kind, nonverbal]), [["silence", "looks away"]]);
  assert.equal(scene.beats[0].silences, 1);
});

test("costs are known only where prices and use are", () => {
  const replied = (seq, usage) => [{ seq, at: seq, kind: "asked", body: { call: seq, actor: "bob", model: "m" } }, { seq: seq + 1, at: seq, kind: "replied", body: { call: seq, actor: "bob", reply: { action: "speak" }, usage, tookMs: 1500 } }];
  const known = fold([began, opened, ...replied(2, { uncached: 1000, cacheRead: 2000, output: 100 })]);
  assert.equal(known.beats[0].cost, (1000 * 1000 + 2000 * 100 + 100 * 5000) / 1e9);
  assert.equal(known.accounts.get("bob").cached, 2000);
  assert.equal(fold([began, opened, ...replied(2, null)]).beats[0].cost, null);
});

test("text that is still being written is shown without its brackets", () => {
  for (const [raw, shown] of [["", ""], ["[TO: Bob, TO", ""], ["[TO: Bob, TONE: warm] \"Hel", "Hel"], ["[SPEAK] “Hello.”", "Hello."], ["Hello", "Hello"]]) assert.equal(provisionalText(raw), shown, raw);
  const scene = fold([began, opened, { seq: 2, at: 5, kind: "asked", body: { call: 7, actor: "bob", model: "m" } }]);
  applyDelta(scene, { call: 7, actor: "bob", text: "Hel" });
  applyDelta(scene, { call: 7, actor: "bob", text: "lo" });
  assert.equal(scene.thinking.get(7).text, "Hello");
  apply(scene, { seq: 3, at: 6, kind: "replied", body: { call: 7, actor: "bob", reply: { action: "speak", content: "Hello" }, usage: {}, tookMs: 1 } });
  assert.equal(scene.thinking.size, 0);
});

test("a fork is asked for by a line's place in its beat", () => {
  const scene = fold([began, opened, said(2, "alice", "a"), said(3, "bob", "b"), { seq: 4, at: 1, kind: "beat_opened", body: { beat: 1, to: [] } }, said(5, "alice", "c")]);
  assert.deepEqual(scene.lines.map((line) => [line.beat, placeInBeat(scene, line)]), [[0, 1], [0, 2], [1, 1]]);
});

test("evidence leads to the line that shows it", () => {
  const scene = fold([began, opened, said(2, "bob", "I am sorry, Alice."), { seq: 3, at: 1, kind: "judged", body: { verdict: { confidence: 1, goals: [{ text: "Bob apologizes", met: true, evidence: "I am sorry, Alice.", by: "Bob" }] } } }]);
  assert.equal(scene.goals[0].line, 2);
});

test("a line knows how it came about", () => {
  const note = { seq: 2, at: 2, kind: "noted", body: { to: "bob", text: "You are hiding something.", why: "steered" } };
  const asked = { seq: 3, at: 3, kind: "asked", body: { call: 1, actor: "bob", model: "m" } };
  const replied = { seq: 4, at: 4, kind: "replied", body: { call: 1, actor: "bob", reply: { action: "speak", content: "No." }, warnings: ["no tone"], usage: { output: 3 }, tookMs: 700 } };
  const [, line] = fold([began, opened, note, asked, replied, said(5, "bob", "No.")]).lines;
  assert.deepEqual(line.insight, { model: "m", tookMs: 700, usage: { output: 3 }, warnings: ["no tone"], raw: null, notes: [{ text: "You are hiding something.", why: "steered", toAll: false }] });
});

test("kinds of events that are not known change nothing", () => {
  const scene = fold([began, opened]);
  apply(scene, { seq: 2, at: 3, kind: "sung", body: { anything: true } });
  assert.equal(scene.lines.length, 0);
});

test("tension is the director's, of the beats that are shown", () => {
  const tension = [{ round: 0, tension: 30, why: ["hostile"] }, { round: 2, tension: 55, why: [] }, { round: 3, tension: 90, why: ["angry"] }];
  const beats = [0, 1, 2].map((beat) => ({ beat }));
  assert.deepEqual(shownTension(tension, beats), [{ x: 0, y: 0.3 }, { x: 2, y: 0.55 }]);
  assert.deepEqual(movedBy(tension, beats), ["hostile"]);
  assert.deepEqual(shownTension(tension, []), []);
});

test("two branches part where a gesture differs, or what was heard", () => {
  const line = (more) => ({ id: 1, at: 0, beat: 1, kind: "reaction", who: "bob", text: "", tone: "uneasy", nonverbal: "sits down", ...more });
  const said = line({ kind: "line", text: "I was late.", nonverbal: undefined });
  assert.equal(sharedLines([said, line({})], [said, line({ id: 9 })]), 2);
  assert.equal(sharedLines([said, line({})], [said, line({ nonverbal: "stands up" })]), 1);
  assert.equal(sharedLines([{ ...said, heard: 3 }], [said]), 0);
  assert.equal(sharedLines([said, line({})], [said]), 1);
  assert.equal(sharedLines([said], [said, line({})]), 1);
});
