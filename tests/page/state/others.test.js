import assert from "node:assert/strict";
import { test } from "node:test";

import { ago, clock, duration, money, title, words } from "../../../crates/enact-page/files/lib/format.js";
import { match } from "../../../crates/enact-page/files/lib/router_match.js";
import { effect, flush, signal } from "../../../crates/enact-page/files/lib/signal.js";
import { EventParser } from "../../../crates/enact-page/files/lib/stream.js";
import { csv, measure, rows } from "../../../crates/enact-page/files/state/costs.js";
import { FOLD as EPISODE, apply, asEvents, emptyEpisode, parts, restore, restoreState, say } from "../../../crates/enact-page/files/state/episode.js";
import { shownAt, step, timeline } from "../../../crates/enact-page/files/state/replay.js";
import { RunStore } from "../../../crates/enact-page/files/state/run_store.js";
import { emptyForm, fieldOf, fromOffer, slug, toRequest } from "../../../crates/enact-page/files/state/scene_form.js";
import { beginning, nameProblem, offset } from "../../../crates/enact-page/files/state/editing.js";

test("an effect runs again after a change, once, and not after its end", () => {
  const [one, two] = [signal(1), signal(10)];
  const seen = [];
  const stop = effect(() => seen.push(one.value + two.value));
  one.value = 2;
  two.value = 20;
  flush();
  one.value = 2;
  flush();
  stop();
  one.value = 3;
  flush();
  assert.deepEqual(seen, [11, 22]);
});

test("an effect forgets what it no longer reads", () => {
  const [which, one, two] = [signal(true), signal("a"), signal("b")];
  const seen = [];
  effect(() => seen.push(which.value ? one.value : two.value));
  which.value = false;
  flush();
  one.value = "unread";
  flush();
  assert.deepEqual(seen, ["a", "b"]);
});

test("events are read however the stream is cut", () => {
  const text = 'id: 1\nevent: line_added\ndata: {"seq":1,"text":"a: b"}\n\n: keep-alive\n\nevent: delta\ndata: {"text":"é"}\n\nid: 2\nevent: end\ndata: {}\n\n';
  const whole = new EventParser().push(text);
  assert.deepEqual(whole.map(({ id, event }) => [id, event]), [[1, "line_added"], [undefined, "delta"], [2, "end"]]);
  for (let at = 0; at <= text.length; at++) {
    const parser = new EventParser();
    assert.deepEqual([...parser.push(text.slice(0, at)), ...parser.push(text.slice(at))], whole, `cut at ${at}`);
  }
  // A stream of a field is taken up again after exactly this event.
  assert.equal(new EventParser().push("id: 120.10\nevent: bid\ndata: {}\n\n")[0].resume, "120.10");
});

test("addresses are matched", () => {
  for (const [pattern, path, found] of [["/", "/", {}], ["/runs/{id}", "/runs/a%20b", { id: "a b" }], ["/runs/{id}", "/runs/", null], ["/runs/{id}", "/runs/a/b", null], ["/costs", "/cost", null]]) assert.deepEqual(match(pattern, path), found, path);
});

test("numbers and times are written as people read them", () => {
  assert.deepEqual([0, 0.0000123, 0.5, 12, null].map(money), ["$0", "$0.00001", "$0.5000", "$12.00", "unknown"]);
  assert.deepEqual([5, 1500, 65_000, 7_500_000].map(duration), ["5 ms", "1.5 s", "1 min 5 s", "2 h 5 min"]);
  assert.deepEqual([0, 61_000].map(clock), ["0:00", "1:01"]);
  assert.deepEqual([title("the-apology"), words("goal_achieved")], ["The Apology", "Goal achieved"]);
  assert.equal(ago(0, 3 * 86_400_000), "3 days ago");
});

const line = (seq, at, text = "x".repeat(20)) => ({ seq, at, kind: "line_added", body: { by: "actor", who: "a", reply: { content: text } } });
const other = (seq, at) => ({ seq, at, kind: "asked", body: {} });

test("a replay has the pauses that there were, or time to read", () => {
  const slow = timeline([other(0, 0), line(1, 2000), line(2, 5000), line(3, 60_000)]);
  assert.deepEqual(slow, [0, 2000, 5000, 11_000], "nobody waits a minute");
  const instant = timeline([other(0, 0), line(1, 0, "y".repeat(100)), line(2, 0), line(3, 1)]);
  assert.deepEqual(instant, [0, 0, 4500, 5400]);
  assert.deepEqual([-1, 0, 4499, 4500, 99_999].map((now) => shownAt(instant, now)), [0, 2, 2, 3, 4]);
});

test("steps go from line to line, both ways", () => {
  const events = [other(0, 0), line(1, 1), other(2, 2), line(3, 3), other(4, 4)];
  assert.deepEqual([1, 2, 4, 5].map((shown) => step(events, shown, 1)), [2, 4, 5, 5]);
  assert.deepEqual([5, 4, 2, 1].map((shown) => step(events, shown, -1)), [4, 2, 1, 1]);
});

test("a replay folds to the same state, forwards and backwards", () => {
  const store = new RunStore({ empty: () => [], apply: (state, event) => state.push(event.seq) });
  store.load([0, 1, 2, 3, 4].map((seq) => line(seq, seq)));
  for (const shown of [5, 2, 4, 0, 5]) {
    store.seek(shown);
    assert.deepEqual(store.state, [0, 1, 2, 3, 4].slice(0, shown));
    assert.equal(store.live, shown === 5);
  }
  store.load([line(3, 0), line(9, 0)]);
  assert.equal(store.events.length, 5, "what is known or out of order is not taken");
});

const group = (key, calls, knownUSD, more = {}) => ({ key, calls, totalTokens: calls * 10, knownUSD, estimatedUSD: knownUSD, unaccounted: 0, usage: { uncached: 1, cacheRead: 2, cacheWrite: 3, output: 4 }, ...more });

test("costs are shares of money, and CSV is no formula", () => {
  const made = rows([group("a", 1, 3), group("=cmd|'x'", 1, 1, { estimatedUSD: null })]);
  assert.deepEqual(made.map(({ share }) => share), [0.75, 0.25]);
  assert.equal(measure(made), "money");
  assert.equal(measure(rows([group("a", 1, 0)])), "tokens");
  const text = csv("model", made);
  assert.match(text, /^model,name,calls/);
  assert.ok(text.includes("'=cmd|'x'"), text);
  assert.ok(text.includes(",,0\r\n"), "an unknown sum is empty, not zero");
});

test("an episode is told as its events come", () => {
  const episode = emptyEpisode();
  apply(episode, "scene_card", { title: "T", situation: "S", character_name: "Mina" });
  say(episode, "m1", "Hello");
  assert.ok(episode.busy);
  for (const content of ["*smi", "les*\n\"He", "y.\""]) apply(episode, "chunk", { content });
  assert.deepEqual(parts(episode.streaming), { action: "smiles", dialogue: "Hey." });
  apply(episode, "message_complete", { content: "…", structured: { dialogue: "Hey.", action: "smiles" }, director: { turn_count: 1, turns_remaining: 6 } }, 8);
  apply(episode, "choice_prompt", { id: "c", prompt: "?", choices: [] });
  apply(episode, "done", {});
  assert.deepEqual([episode.busy, episode.streaming, episode.messages.length, episode.choice.id], [false, null, 2, "c"]);
  say(episode, "m1", "Hello");
  assert.equal(episode.messages.length, 2, "the same message is said once");
  assert.equal(episode.choice, null);
});

test("an episode that is opened again is where it was", () => {
  const episode = emptyEpisode();
  restore(episode, [{ id: "m1", role: "user", content: "Hi" }, { role: "assistant", content: "x", metadata: { structured: { dialogue: "Hey." } } }]);
  restoreState(episode, [{ event: "scene_card", data: { title: "T" } }, { event: "message_complete", data: { content: "x", director: { turn_count: 1 } } }, { event: "choice_prompt", data: { id: "c" } }]);
  assert.deepEqual([episode.messages.length, episode.choice.id], [2, "c"]);
});

test("a form sends what was filled in, and finds the field of an error", () => {
  const form = { ...emptyForm(), name: "Late Again!", prompt: "p", roles: [{ name: "alice", model: "human" }, { name: "bob", model: "", sheet: "# Bob" }], goals: "a\n\n b " };
  assert.deepEqual(toRequest(form), { config: { name: "late-again", characters: ["alice", "bob"], prompt: "p", goals: ["a", "b"], models: { alice: "human" }, humanTimeoutSeconds: "none" }, sheets: { bob: "# Bob" } });
  const offer = { config: { name: "x", characters: ["a"], prompt: "p", maxBeats: 9 }, sheets: { a: "# A" } };
  assert.deepEqual([fromOffer(offer).maxBeats, fromOffer(offer).roles[0].sheet], ["9", "# A"]);
  assert.equal(slug("Ünïcode & more"), "unicode-more");
  for (const [error, field] of [[{ message: "character 'x' not found", context: { character: "x" } }, "roles"], [{ message: "it is too much", context: { field: "maxBeats" } }, "maxBeats"], [{ message: "not in the cast", context: { field: "initialSpeaker" } }, "opener"], [{ message: "maxBeats are words of a message, and no field" }, null]]) assert.equal(fieldOf(error), field, error.message);
  const wished = toRequest({ ...form, roles: [{ name: "alice", model: "", voice: "calm_soothing" }], budget: "0.5", budgetTokens: "900" });
  assert.deepEqual([wished.voices, wished.budget], [{ alice: "calm_soothing" }, { usd: 0.5, tokens: 900 }]);
});

test("names of files are plain, and a mistake is found in its text", () => {
  assert.equal(nameProblem("the-lamp_2", []), null);
  for (const name of ["", "../x", "a/b", ".a", "a b", "é", "x".repeat(65)]) assert.ok(nameProblem(name, []), name);
  assert.match(nameProblem("alice", ["alice"]) ?? "", /already/);
  assert.deepEqual([offset("ab\ncd\n", 2, 2), offset("ab\n", 9, 9), offset("ab", 1, 1)], [4, 3, 0]);
  assert.match(beginning("scenes", "x", ["alice", "bob", "cleo"]), /characters: \[alice, bob\]/);
});

test("an episode in a file is replayed message by message, with what could be chosen", () => {
  const messages = [
    { id: "m1", role: "user", content: "Hello", at: 5 },
    { role: "assistant", content: "Hey.", at: 9, metadata: { structured: { dialogue: "Hey.", action: "smiles" } } },
    { id: "m2", role: "user", content: "Truth.", at: 20 },
    { role: "assistant", content: "Oh.", at: 24 },
    { id: "m3", role: "user", content: "Unanswered", at: 30 },
  ];
  const told = [
    { at: 1, event: "scene_card", data: { title: "T", character_name: "Mina" } },
    { at: 9, event: "message_complete", data: { director: { turn_count: 1 } } },
    { at: 9, event: "choice_prompt", data: { id: "c", prompt: "?", choices: [] } },
    { at: 24, event: "message_complete", data: { director: { turn_count: 2 } } },
  ];
  const events = asEvents(messages, told);
  assert.deepEqual(events.map(({ kind }) => kind), ["scene_card", "message", "message", "message_complete", "choice_prompt", "message", "message", "message_complete", "message"]);
  const store = new RunStore(EPISODE);
  store.load(events);
  assert.deepEqual([store.state.messages.length, store.state.choice], [5, null]);
  store.seek(5);
  assert.deepEqual([store.state.messages.map(({ content }) => content), store.state.choice?.id], [["Hello", "Hey."], "c"]);
  assert.equal(store.state.messages[1].action, "smiles");
  store.step(-1);
  assert.deepEqual([store.state.messages.map(({ content }) => content), store.state.choice], [["Hello", "Hey."], null]);
  store.step(-1);
  assert.deepEqual(store.state.messages.map(({ content }) => content), ["Hello"]);
  assert.ok(store.times[5] > store.times[2], "there is time to read an answer");
});
