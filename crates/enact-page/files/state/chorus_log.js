// The events that clients of a chorus are sent, made again from its log: for a run that is shown without a server.

/** @typedef {import("./scene.js").LogEvent} LogEvent */

const KINDS = ["", "response", "comment", "reply"];

/** @param {LogEvent[]} log @returns {{ event: string, data: any }[]} */
export function clientEvents(log) {
  const setup = log[0]?.body?.setup ?? {};
  const sessionId = setup.run ?? setup.session ?? "run";
  /** @type {Map<number, any>} */
  const seats = new Map((setup.seats ?? setup.slots ?? []).map((/** @type {any} */ seat) => [seat.slot ?? seat.slotId, seat]));
  /** @param {any} body */
  const slot = (body) => {
    const agent = seats.get(body.slot)?.agent ?? {};
    const label = setup.models?.[seats.get(body.slot)?.model ?? agent.model]?.label;
    return { sessionId, turnIndex: body.turn, kind: KINDS[body.turn], slotId: body.slot, agentId: agent.id ?? "", label };
  };
  let spoken = new Set();
  /** @type {Map<number, any>} */
  const speeches = new Map();
  return log.flatMap(/** @returns {{ event: string, data: any }[]} */ ({ kind, body }) => {
    switch (kind) {
      case "turn_started":
        return [{ event: "turn.start", data: { sessionId, turnIndex: body.turn } }];
      case "slot_asked":
        return body.again || body.fallback ? [] : [{ event: "slot.start", data: slot(body) }];
      case "slot_spoke":
        spoken.add(body.slot);
        if (body.speech) speeches.set(body.speech.call, body.speech.path);
        return [{ event: "slot.done", data: { ...slot(body), text: body.text, targetSlotId: body.target, voiceProfile: body.profile } }];
      case "slot_failed":
      case "voice_failed":
        return [{ event: "slot.error", data: { ...slot(body), error: { type: "unknown", message: typeof body.error === "string" ? body.error : "it failed" } } }];
      case "voiced":
        return [{ event: "slot.audio", data: { ...slot(body), audioPath: speeches.get(body.call) } }];
      case "turn_done":
        return [{ event: "turn.done", data: { sessionId, turnIndex: body.turn } }];
      case "ended":
        return [{ event: "done", data: { sessionId, completedSlots: spoken.size, turns: 3, reason: body.reason === "completed" ? undefined : body.reason } }];
      default:
        return [];
    }
  });
}

/** The agents of a chorus, as its log has them. @param {LogEvent[]} log */
export function agentsOf(log) {
  const setup = log[0]?.body?.setup ?? {};
  return (setup.seats ?? setup.slots ?? []).map((/** @type {any} */ seat) => seat.agent).filter(Boolean);
}
