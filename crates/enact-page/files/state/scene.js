// A scene as its log tells it: events in, what is drawn out. Nothing here knows the page.
//
// `apply` takes one event and changes the scene. Lines are never changed in place: one that is cut becomes a new object,
// so that whoever draws can see by identity what is new.

import { countWords } from "../lib/format.js";

/** @typedef {{ seq: number, at: number, kind: string, v?: number, body: any }} LogEvent */
/** @typedef {{ name: string, display: string, model: string, hue: number, sheet: string }} Role */

/**
 * Something on the script page. `text` is what was said, `heard` how much of it was, in characters.
 * @typedef {{
 *   id: number, at: number, beat: number, kind: "line" | "reaction" | "world" | "system" | "silence" | "note",
 *   who?: string, target?: string, tone?: string, action?: string, nonverbal?: string, text: string,
 *   heard?: number, cutBy?: string, cuts?: number, why?: string, insight?: Insight,
 * }} Line
 */

/**
 * How a line came about: who played it, how long that took, what was used, and what was whispered to its character before.
 * @typedef {{ model: string, tookMs: number | null, usage: any, warnings: string[], raw: string | null, notes: { text: string, why: string, toAll: boolean }[] }} Insight
 */

/** @typedef {{ call: number, actor: string, since: number, text: string, human: boolean, until: number | null }} Thinking */
/** @typedef {{ text: string, met: boolean | null, evidence: string | null, by: string | null, line: number | null }} Goal */
/**
 * @typedef {{
 *   beat: number, at: number, seq: number, settledAt: number | null, words: Record<string, number>, lines: number, cuts: number,
 *   silences: number, world: boolean, tokens: number, cost: number | null, confidence: number,
 * }} Beat
 */
/** @typedef {{ calls: number, tookMs: number, failed: number, cached: number, input: number }} Account */

/**
 * @typedef {{
 *   began: boolean, name: string, setting: string, cast: Role[], models: Record<string, any>, maxBeats: number, lines: Line[], beats: Beat[], goals: Goal[], thinking: Map<number, Thinking>,
 *   accounts: Map<string, Account>, errors: { beat: number, actor: string, error: string, at: number }[],
 *   benched: Set<string>, paused: boolean, ended: string | null, confidence: number, lastAt: number,
 *   calls: Map<number, { model: string, actor: string }>, replies: Map<string, Insight>, notes: Map<string, Insight["notes"]>,
 * }} Scene
 */

/** How many colours characters can have: the largest cast. */
export const HUES = 12;

/** @returns {Scene} */
export function emptyScene() {
  return {
    began: false, name: "", setting: "", cast: [], models: {}, maxBeats: 0, lines: [], beats: [],
    goals: [], thinking: new Map(), accounts: new Map(), errors: [], benched: new Set(), paused: false, ended: null,
    confidence: 0, lastAt: 0, calls: new Map(), replies: new Map(), notes: new Map(),
  };
}

/** @param {Scene} scene @param {string} name */
export const role = (scene, name) => scene.cast.find((role) => role.name === name);

/** The role that people call by this name: targets and evidence have the name that is read. @param {Scene} scene @param {string} display */
const roleByDisplay = (scene, display) => scene.cast.find((role) => role.display === display || role.name === display);

/** @type {Record<string, (scene: Scene, body: any, event: LogEvent) => void>} */
const KINDS = {
  began(scene, { setup }) {
    scene.began = true;
    scene.name = setup.name;
    scene.setting = setup.config?.setting ?? "";
    scene.maxBeats = setup.maxBeats ?? 0;
    scene.models = setup.models ?? {};
    scene.cast = (setup.cast ?? []).map((/** @type {any} */ one, /** @type {number} */ index) => ({
      name: one.name, display: one.display ?? one.name, model: one.model, hue: index % HUES, sheet: one.sheet ?? "",
    }));
    scene.goals = (setup.goals ?? []).map((/** @type {any} */ goal) => ({
      text: typeof goal === "string" ? goal : goal.text, met: null, evidence: null, by: null, line: null,
    }));
  },
  beat_opened(scene, { beat }, { at, seq }) {
    scene.beats.push({ beat, at, seq, settledAt: null, words: {}, lines: 0, cuts: 0, silences: 0, world: false, tokens: 0, cost: 0, confidence: scene.confidence });
  },
  beat_settled(scene, _, { at }) {
    const beat = newest(scene);
    if (beat) beat.settledAt = at;
  },
  asked(scene, { call, actor, model, human }, { at }) {
    scene.calls.set(call, { model, actor });
    scene.thinking.set(call, { call, actor, since: at, text: "", human: Boolean(human), until: human?.timeoutMs ? at + human.timeoutMs : null });
  },
  consulted(scene, { call, purpose, model }) {
    scene.calls.set(call, { model, actor: purpose });
  },
  replied(scene, { call, actor, reply, usage, tookMs, warnings, raw }, event) {
    scene.thinking.delete(call);
    const notes = [...(scene.notes.get(actor) ?? [])];
    scene.notes.delete(actor);
    const told = (warnings ?? []).map((/** @type {any} */ one) => (typeof one === "string" ? one : JSON.stringify(one)));
    scene.replies.set(actor, { model: scene.calls.get(call)?.model ?? "", tookMs: tookMs ?? null, usage, warnings: told, raw: raw ?? null, notes });
    account(scene, call, actor, usage, tookMs);
    if (reply?.action !== "silent") return;
    const beat = newest(scene);
    if (beat) beat.silences += 1;
    addLine(scene, event, { kind: "silence", who: actor, tone: reply.tone, nonverbal: reply.nonverbal, text: "" });
  },
  advised(scene, { call, usage, tookMs }) {
    account(scene, call, scene.calls.get(call)?.actor ?? "judge", usage, tookMs);
  },
  call_failed(scene, { call, actor, error, usage }, { at }) {
    scene.thinking.delete(call);
    account(scene, call, actor, usage, null);
    scene.errors.push({ beat: newest(scene)?.beat ?? 0, actor, error: describe(error), at });
  },
  advice_failed(scene, { call, error, usage }, { at }) {
    const actor = scene.calls.get(call)?.actor ?? "judge";
    account(scene, call, actor, usage, null);
    scene.errors.push({ beat: newest(scene)?.beat ?? 0, actor, error: describe(error), at });
  },
  line_added(scene, body, event) {
    const beat = newest(scene);
    if (body.by !== "actor") {
      if (beat && body.by === "world") beat.world = true;
      return addLine(scene, event, { kind: body.by, text: body.text ?? "" });
    }
    const { action, target, tone, content, nonverbal } = body.reply;
    const text = content ?? "";
    if (beat) {
      beat.lines += 1;
      beat.words[body.who] = (beat.words[body.who] ?? 0) + countWords(text);
    }
    const cut = action === "interrupt" ? scene.lines.findLast((line) => line.cutBy === body.who && line.cuts === undefined && isUnmet(scene, line.id)) : undefined;
    addLine(scene, event, { kind: text ? "line" : "reaction", who: body.who, action, target, tone, nonverbal, text, cuts: cut?.id, insight: scene.replies.get(body.who) });
  },
  line_cut(scene, { line, at, by }) {
    const index = scene.lines.findLastIndex((known) => known.id === line);
    if (index < 0) return;
    const known = scene.lines[index];
    scene.lines[index] = { ...known, heard: charactersIn(known.text, at), cutBy: by };
    const beat = newest(scene);
    if (beat) beat.cuts += 1;
  },
  noted(scene, { to, text, why }, event) {
    const toAll = !to || (Array.isArray(to) && !to.length);
    for (const name of toAll ? scene.cast.map((one) => one.name) : [to].flat()) scene.notes.set(name, [...(scene.notes.get(name) ?? []), { text, why, toAll }]);
    addLine(scene, event, { kind: "note", who: Array.isArray(to) ? to.join(", ") : (to ?? undefined), text, why });
  },
  judged(scene, { verdict }) {
    scene.confidence = verdict.confidence ?? 0;
    const beat = newest(scene);
    if (beat) beat.confidence = scene.confidence;
    scene.goals = (verdict.goals ?? []).map((/** @type {any} */ goal) => ({
      text: goal.text, met: goal.met ?? null, evidence: goal.evidence ?? null, by: goal.by ?? null, line: evidenceLine(scene, goal),
    }));
  },
  benched(scene, { actor }) {
    scene.benched = new Set([...scene.benched, actor]);
  },
  returned(scene, { actor }) {
    scene.benched = new Set([...scene.benched].filter((other) => other !== actor));
  },
  paused(scene) {
    scene.paused = true;
  },
  continued(scene) {
    scene.paused = false;
  },
  resumed(scene) {
    // What was being written is asked again.
    for (const thinking of scene.thinking.values()) thinking.text = "";
  },
  ended(scene, { reason }) {
    scene.ended = reason;
    scene.paused = false;
    scene.thinking.clear();
  },
};

/** Takes one event of the log. Kinds that are not known change nothing. @param {Scene} scene @param {LogEvent} event */
export function apply(scene, event) {
  scene.lastAt = event.at;
  KINDS[event.kind]?.(scene, event.body ?? {}, event);
}

/** A piece of an answer that is still being written. @param {Scene} scene @param {{ call: number, actor: string, text: string }} delta */
export function applyDelta(scene, { call, actor, text }) {
  const known = scene.thinking.get(call);
  if (known) scene.thinking.set(call, { ...known, text: known.text + text });
  else scene.thinking.set(call, { call, actor, since: scene.lastAt, text, human: false, until: null });
}

/**
 * What can be shown of an answer that is still being written: without the brackets of the reply format and the quotation
 * marks around what is said.
 * @param {string} raw
 */
export function provisionalText(raw) {
  const text = raw.trimStart();
  if (!text.startsWith("[")) return text.replace(/^["“]/, "");
  const end = text.indexOf("]");
  return end < 0 ? "" : text.slice(end + 1).trimStart().replace(/^["“]/, "").replace(/["”]\s*$/, "");
}

/** How many lines two runs have in common, from the beginning. @param {Line[]} one @param {Line[]} other */
export function sharedLines(one, other) {
  const parts = /** @type {const} */ (["kind", "who", "text", "tone", "nonverbal", "heard"]);
  const differ = one.findIndex((line, at) => parts.some((part) => line[part] !== other[at]?.[part]));
  return differ < 0 ? one.length : differ;
}

/** The part of a line that was heard, and the part that was not. @param {Line} line */
export function heardAndUnheard({ text, heard }) {
  return heard === undefined ? [text, ""] : [text.slice(0, heard), text.slice(heard)];
}

/** How many characters the first so many bytes of a text are: logs count UTF-8. @param {string} text @param {number} bytes */
export function charactersIn(text, bytes) {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}

/** How many lines a beat had up to and with this one: what a fork is asked for. @param {Scene} scene @param {Line} line */
export function placeInBeat(scene, line) {
  const spoken = scene.lines.filter((other) => other.beat === line.beat && other.kind !== "silence" && other.kind !== "note");
  return spoken.findIndex((other) => other.id === line.id) + 1;
}

/** @param {Scene} scene */
const newest = (scene) => scene.beats[scene.beats.length - 1];

/** @param {Scene} scene @param {LogEvent} event @param {Omit<Line, "id" | "at" | "beat">} line */
function addLine(scene, { seq, at }, line) {
  scene.lines.push({ id: seq, at, beat: newest(scene)?.beat ?? 0, ...line });
}

/** Whether no line has been found yet that cut this one. @param {Scene} scene @param {number} id */
const isUnmet = (scene, id) => !scene.lines.some((line) => line.cuts === id);

/** The line that shows that a goal is met. @param {Scene} scene @param {{ evidence?: string, by?: string }} goal */
function evidenceLine(scene, { evidence, by }) {
  if (!evidence) return null;
  const wanted = evidence.trim();
  const who = by ? roleByDisplay(scene, by)?.name : undefined;
  const said = scene.lines.findLast((line) => line.text && (!who || line.who === who) && (line.text.includes(wanted) || wanted.includes(line.text)));
  return said?.id ?? null;
}

/** @param {Scene} scene @param {number} call @param {string} who @param {any} usage @param {number | null} tookMs */
function account(scene, call, who, usage, tookMs) {
  const known = scene.accounts.get(who) ?? { calls: 0, tookMs: 0, failed: 0, cached: 0, input: 0 };
  const price = scene.models[scene.calls.get(call)?.model ?? ""]?.price;
  const input = (usage?.uncached ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
  const tokens = input + (usage?.output ?? 0);
  const cost = costOf(usage, price);
  scene.accounts.set(who, {
    calls: known.calls + 1,
    tookMs: known.tookMs + (tookMs ?? 0),
    failed: known.failed + (tookMs === null ? 1 : 0),
    cached: known.cached + (usage?.cacheRead ?? 0),
    input: known.input + input,
  });
  const beat = newest(scene);
  if (!beat) return;
  beat.tokens += tokens;
  beat.cost = add(beat.cost, cost);
}

/** USD; not known where a price or a usage is not. @param {any} usage @param {any} price */
function costOf(usage, price) {
  if (!usage || !price) return null;
  const nano = ["uncached", "cacheRead", "cacheWrite", "output"].reduce((sum, kind) => sum + (usage[kind] ?? 0) * (price[kind] ?? 0), 0);
  return nano / 1e9;
}

/** @param {number | null} one @param {number | null} other */
const add = (one, other) => (one === null || other === null ? null : one + other);

/** @param {unknown} error */
const describe = (error) => (typeof error === "string" ? error : (/** @type {any} */ (error)?.message ?? JSON.stringify(error)));
