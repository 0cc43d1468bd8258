// Server-sent events over `fetch`, so that tokens travel: read, parsed, and taken up again where they broke off.

import { ApiError, request } from "./api.js";

/** `resume` is the id as it was sent: of a field `120.10` is not `120.1`. @typedef {{ id?: number, resume?: string, event: string, data: any }} StreamEvent */
/** Whether events come: `lost` while a connection is down and is tried again. @typedef {"connecting" | "live" | "lost" | "ended"} Connection */

/** How long to wait before the next try: quickly at first, then every few seconds, for as long as the page is open. */
const RETRY_MS = [250, 500, 1000, 2000, 4000];

/** How many characters are read at a time: some milliseconds' worth of events. */
const PART = 32 * 1024;

/** @param {string} text */
function* parts(text) {
  for (let at = 0; at < text.length; at += PART) yield text.slice(at, at + PART);
}

/** Splits a stream of text into events. A piece may end anywhere. */
export class EventParser {
  /** The event that is not whole yet. @type {string[]} */
  #rest = [];

  /** @param {string} piece @returns {StreamEvent[]} */
  push(piece) {
    if (!piece) return [];
    // A long event comes in many pieces: they are put together once.
    const endsBetween = piece.startsWith("\n") && this.#rest.at(-1)?.endsWith("\n");
    this.#rest.push(piece);
    if (!endsBetween && !piece.includes("\n\n")) return [];
    const blocks = this.#rest.join("").split("\n\n");
    this.#rest = [blocks.pop() ?? ""];
    return blocks.flatMap((block) => {
      /** @type {Record<string, string>} */
      const fields = {};
      for (const line of block.split("\n")) {
        const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        if (field) fields[field] = value;
      }
      if (fields.data === undefined) return [];
      const id = fields.id === undefined ? undefined : Number(fields.id);
      return [{ id, resume: fields.id, event: fields.event ?? "message", data: JSON.parse(fields.data) }];
    });
  }
}

/**
 * Follows a stream until an event says that it is over, however often the connection is lost on the way.
 * @param {string} path
 * @param {{
 *   body?: unknown, after?: number, headers?: Record<string, string>, resumePath?: () => string | null,
 *   isLast: (event: StreamEvent) => boolean,
 *   onEvents: (events: StreamEvent[]) => void, onConnection: (connection: Connection, error?: Error) => void,
 * }} options `body` is posted once; after that the stream is resumed with a GET of `resumePath`
 * @returns {() => void} stops following
 */
export function follow(path, { body, after, headers = {}, resumePath, isLast, onEvents, onConnection }) {
  const abort = new AbortController();
  let last = after?.toString();
  let tries = 0;
  let posted = body === undefined;

  const attempt = async () => {
    const from = posted ? (resumePath?.() ?? path) : path;
    /** @type {Record<string, string>} */
    const resume = last === undefined || !posted ? {} : { "Last-Event-ID": last };
    const answer = await request(from, { body: posted ? undefined : body, headers: { ...headers, ...resume }, signal: abort.signal });
    posted = true;
    onConnection("live");
    const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      tries = 0;
      // A long log comes in large pieces: the page draws between parts of them.
      for (const part of parts(/** @type {any} */ (value))) {
        const events = parser.push(part);
        if (!events.length) continue;
        for (const event of events) last = event.resume ?? last;
        onEvents(events);
        if (events.some(isLast)) {
          // What follows the last event is nothing, and a connection that is left open is one of few.
          reader.cancel().catch(() => {});
          return true;
        }
        if (part.length === PART) await new Promise((resolve) => setTimeout(resolve));
        if (abort.signal.aborted) return true;
      }
    }
  };

  (async () => {
    onConnection("connecting");
    while (!abort.signal.aborted) {
      /** @type {Error | undefined} */
      let problem;
      try {
        if (await attempt()) return onConnection("ended");
      } catch (error) {
        problem = /** @type {Error} */ (error);
        if (abort.signal.aborted) return;
        // What was refused would be refused again; what was busy, or is away, comes back.
        const refused = problem instanceof ApiError && problem.status < 500 && problem.status !== 429 && problem.status !== 408;
        if (refused || !posted) return onConnection("ended", problem);
      }
      onConnection("lost", problem);
      await pause(RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)], abort.signal);
    }
  })();
  return () => abort.abort();
}

/** Waits, or less if the network comes back. @param {number} ms @param {AbortSignal} stop */
function pause(ms, stop) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const now = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    globalThis.addEventListener?.("online", now, { once: true });
    stop.addEventListener("abort", now, { once: true });
  });
}
