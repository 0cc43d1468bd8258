// An episode as its user sees it: what was said, what may be said next, and what it came to.

/**
 * @typedef {{
 *   title: string, situation: string, dramatic_question?: string, character_name: string, opening_line?: string, starter_prompts?: string[],
 *   place_in_series?: string, label?: string,
 * }} SceneCard
 */
/** @typedef {{ id: string, role: "user" | "assistant", content: string, action?: string | null, dialogue?: string, pending?: boolean }} Message */
/** @typedef {{ id: string, prompt: string, choices: { id: string, label: string }[] }} Choice */

/**
 * @typedef {{
 *   card: SceneCard | null, messages: Message[], streaming: string | null, choice: Choice | null, suggestion: any | null,
 *   complete: any | null, beat: { index: number, of: number } | null,
 *   error: { type: string, message: string } | null, ended: boolean, busy: boolean,
 * }} Episode
 */

/** @returns {Episode} */
export const emptyEpisode = () => ({
  card: null, messages: [], streaming: null, choice: null, suggestion: null, complete: null, beat: null,
  error: null, ended: false, busy: false,
});

/** What the user says: it is shown before the server has taken it. @param {Episode} episode @param {string} id @param {string} text */
export function say(episode, id, text) {
  if (!episode.messages.some((message) => message.id === id)) episode.messages.push({ id, role: "user", content: text, pending: true });
  episode.choice = null;
  episode.error = null;
  episode.busy = true;
  episode.streaming = "";
}

/** What was said before this page was opened. @param {Episode} episode @param {any[]} messages of `GET /v1/sessions/{id}/messages` */
export function restore(episode, messages) {
  episode.messages = [];
  for (const message of messages) takeMessage(episode, message);
}

/** @param {Episode} episode @param {any} message */
function takeMessage(episode, { id, role, content, metadata }) {
  episode.messages.push(shape(id ?? `answer-${episode.messages.length}`, role, content, metadata?.structured));
  episode.choice = null;
}

/** Takes an event of a session's stream. @param {Episode} episode @param {string} event @param {any} data @param {number} [id] */
export function apply(episode, event, data, id) {
  switch (event) {
    case "scene_card":
      episode.card = data;
      break;
    case "chunk":
      episode.streaming = (episode.streaming ?? "") + data.content;
      break;
    case "message_complete": {
      const key = `answer-${id ?? data.director?.turn_count}`;
      for (const [index, message] of episode.messages.entries()) if (message.pending) episode.messages[index] = { ...message, pending: false };
      episode.messages.push(shape(key, "assistant", data.content, data.structured));
      episode.streaming = null;
      break;
    }
    case "beat":
      episode.beat = { index: data.index, of: data.of };
      break;
    case "choice_prompt":
      episode.choice = data;
      break;
    case "suggestion":
      episode.suggestion = data.next_suggestion;
      break;
    case "episode_complete":
      episode.complete = data;
      episode.choice = null;
      break;
    case "error":
      episode.error = data.error ?? data;
      episode.streaming = null;
      episode.busy = false;
      break;
    case "done":
      episode.busy = false;
      episode.streaming = null;
      break;
  }
}

/** What a story that is being restored still offers: choices and results, but not what was said, which came before. @param {Episode} episode @param {{ event: string, data: any }[]} events */
export function restoreState(episode, events) {
  for (const { event, data } of events) {
    if (event === "message_complete") episode.choice = null;
    else apply(episode, event, data);
  }
}

/**
 * A session as one list of events, to be replayed: each answer with what was said before it stands where its stream told of
 * it.
 * @param {any[]} messages of the session's metadata @param {{ at: number, event: string, data: any }[]} told
 * @returns {import("./scene.js").LogEvent[]}
 */
export function asEvents(messages, told) {
  const waiting = [...messages];
  /** @type {{ at: number, kind: string, body: any }[]} */
  const events = [];
  const takeUpTo = (/** @type {number} */ end) => {
    for (const message of waiting.splice(0, end)) events.push({ at: message.at, kind: "message", body: message });
  };
  for (const { at, event, data } of told) {
    if (event === "message_complete") takeUpTo(waiting.findIndex(({ role }) => role === "assistant") + 1);
    events.push({ at, kind: event, body: data });
  }
  takeUpTo(waiting.length);
  return events.map((event, seq) => ({ seq, ...event }));
}

/** @type {import("./run_store.js").Fold<Episode>} */
export const FOLD = {
  empty: emptyEpisode,
  apply(episode, { kind, body }) {
    if (kind === "message") takeMessage(episode, body);
    else restoreState(episode, [{ event: kind, data: body }]);
  },
};

/** @param {string} id @param {"user" | "assistant"} role @param {string} content @param {any} structured @returns {Message} */
function shape(id, role, content, structured) {
  return { id, role, content, action: structured?.action, dialogue: structured?.dialogue };
}

/** An action in asterisks and words in quotation marks, as they stream: what of it is which. @param {string} text */
export function parts(text) {
  const [, action, rest] = /^\*([^*]*)\*?\s*([\s\S]*)$/.exec(text) ?? [, "", text];
  return { action: action ?? "", dialogue: (rest ?? "").replace(/^"/, "").replace(/"$/, "") };
}
