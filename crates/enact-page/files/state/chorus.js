// A chorus as its events tell it: for each slot and turn what was said, to whom, and whether it can be heard.

/** @typedef {"response" | "comment" | "reply"} Kind */
/** @typedef {{ slotId: number, agentId: string, name: string }} Seat */

/**
 * What a slot does in a turn: keyed by session, slot, turn and kind.
 * @typedef {{
 *   sessionId: string, slotId: number, agentId: string, turnIndex: number, kind: Kind, state: "thinking" | "said" | "failed", text: string,
 *   targetSlotId?: number, audioPath?: string, error?: string, audioError?: string, label?: string,
 * }} Message
 */

/**
 * @typedef {{
 *   sessionId: string | null, messages: Map<string, Message>, turn: number, turnsDone: Set<number>, order: string[],
 *   done: { reason?: string, completedSlots: number, turns: number } | null,
 * }} Chorus
 */

export const TURNS = /** @type {const} */ ([1, 2, 3]);
/** @type {Record<number, Kind>} */
const KIND_OF_TURN = { 1: "response", 2: "comment", 3: "reply" };

/** @returns {Chorus} */
export const emptyChorus = () => ({ sessionId: null, messages: new Map(), turn: 0, turnsDone: new Set(), order: [], done: null });

/** @param {string} sessionId @param {number} slotId @param {number} turnIndex @param {Kind} kind */
export const key = (sessionId, slotId, turnIndex, kind) => `${sessionId}/${slotId}/${turnIndex}/${kind}`;

/** Takes one event of the stream of a chorus. @param {Chorus} chorus @param {string} event @param {any} data */
export function apply(chorus, event, data) {
  if (data?.sessionId) chorus.sessionId = data.sessionId;
  switch (event) {
    case "turn.start":
      chorus.turn = data.turnIndex;
      break;
    case "turn.done":
      chorus.turnsDone.add(data.turnIndex);
      break;
    case "slot.start":
      change(chorus, data, { state: "thinking" });
      break;
    case "slot.done":
      change(chorus, data, { state: "said", text: data.text, targetSlotId: data.targetSlotId });
      break;
    case "slot.audio":
      change(chorus, data, { audioPath: data.audioPath });
      break;
    case "slot.error": {
      const said = find(chorus, data.slotId, data.turnIndex)?.state === "said";
      // What was said and cannot be heard stays said.
      change(chorus, data, said ? { audioError: data.error.message } : { state: "failed", error: data.error.message });
      break;
    }
    case "done":
      chorus.done = { reason: data.reason, completedSlots: data.completedSlots, turns: data.turns };
      break;
  }
}

/** @param {Chorus} chorus @param {any} data @param {Partial<Message>} changes */
function change(chorus, data, changes) {
  const { sessionId, slotId, agentId, turnIndex, kind, label } = data;
  const id = key(sessionId, slotId, turnIndex, kind);
  /** @type {Message} */
  const known = chorus.messages.get(id) ?? { sessionId, slotId, agentId, turnIndex, kind, state: "thinking", text: "", label };
  if (changes.state === "said" && !chorus.order.includes(id)) chorus.order.push(id);
  chorus.messages.set(id, { ...known, ...changes });
}

/** @param {Chorus} chorus @param {number} slotId @param {number} turnIndex */
export function find(chorus, slotId, turnIndex) {
  return chorus.sessionId === null ? undefined : chorus.messages.get(key(chorus.sessionId, slotId, turnIndex, KIND_OF_TURN[turnIndex]));
}

/** The slots that commented on this one. @param {Chorus} chorus @param {number} slotId */
export function commentsTo(chorus, slotId) {
  return [...chorus.messages.values()].filter((message) => message.kind === "comment" && message.targetSlotId === slotId && message.state === "said");
}

/** What can be heard of a turn, in the order in which it was said. @param {Chorus} chorus @param {number} turnIndex */
export function audioOf(chorus, turnIndex) {
  const said = chorus.order.map((id) => chorus.messages.get(id));
  return /** @type {Message[]} */ (said.filter((message) => message && message.turnIndex === turnIndex && message.audioPath));
}

/** The next file to play: turn by turn, and a turn only once all of its files are there. @param {Chorus} chorus @param {Set<string>} played paths */
export function nextAudio(chorus, played) {
  for (const turn of TURNS) {
    const spoken = [...chorus.messages.values()].filter((message) => message.turnIndex === turn && message.state === "said");
    const unheard = audioOf(chorus, turn).find((message) => !played.has(/** @type {string} */ (message.audioPath)));
    if (unheard) return unheard;
    const waits = spoken.some((message) => !message.audioPath && !message.audioError);
    if (!chorus.done && (waits || !chorus.turnsDone.has(turn))) return null;
  }
  return null;
}
