// The server's API: requests with the token, and errors in the server's own words.

import { signal } from "./signal.js";

const TOKEN_KEY = "enact-token";
const GUEST_KEY = "enact-guest";

/** What is kept for this tab, or for this browser. Neither is there in a file that is opened from disk. @param {string} key */
function stored(key) {
  try {
    return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** The token that requests carry; nothing where none is needed. */
export const token = signal(stored(TOKEN_KEY));
/** What a guest, who has no token, is known by: it owns the sessions that were begun with it. */
let guest = stored(GUEST_KEY);
/** Whether the server has refused a request for want of a token, or of one that it still takes. */
export const needsToken = signal(false);

/** Whether requests are those of a guest. */
export const isGuest = () => Boolean(guest) && !token.peek();

/** Keeps the name that the server has given to a guest. @param {string} id */
export function beGuest(id) {
  localStorage.setItem(GUEST_KEY, id);
  guest = id;
}

/** @param {string} secret @param {boolean} remember beyond this tab */
export function signIn(secret, remember) {
  (remember ? localStorage : sessionStorage).setItem(TOKEN_KEY, secret);
  token.value = secret;
  needsToken.value = false;
}

export function signOut() {
  sessionStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(TOKEN_KEY);
  token.value = "";
  needsToken.value = true;
}

/** An answer that is an error: what happened, what to do about it, and where in the request it is. */
export class ApiError extends Error {
  /** @param {number} status @param {{ code?: string, message?: string, context?: Record<string, any> }} error */
  constructor(status, { code = "UNKNOWN", message = `the server answered ${status}`, context = {} } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.context = context;
    /** @type {string | undefined} */
    this.hint = context.hint;
  }
}

/**
 * A request with the token.
 * @param {string} path
 * @param {{ method?: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} [options]
 */
export async function request(path, { method, body, headers = {}, signal: abort } = {}) {
  const secret = token.peek();
  if (secret) headers = { ...headers, Authorization: `Bearer ${secret}` };
  else if (guest) headers = { ...headers, "X-Anonymous-Id": guest };
  if (body !== undefined) headers = { ...headers, "Content-Type": "application/json" };
  const answer = await fetch(path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: abort,
  });
  if (answer.ok) return answer;
  if (answer.status === 401) needsToken.value = true;
  const told = await answer.json().catch(() => ({}));
  throw new ApiError(answer.status, told.error);
}

/** @typedef {import("../../api.d.ts").paths} Paths the types of the API, as its document has them */
/** @template {keyof Paths} P @template {"get" | "post" | "put"} M @typedef {import("../../api_calls.d.ts").Params<P, M>} Params */
/** @template {keyof Paths} P @template {"get" | "post" | "put"} M @typedef {import("../../api_calls.d.ts").Body<P, M>} Body */
/** @template {keyof Paths} P @template {"get" | "post" | "put"} M @typedef {import("../../api_calls.d.ts").Answer<P, M>} Answer */

/** An address of the API: `/v1/runs/{id}` with its id, and what is left as its query. @param {keyof Paths} path @param {Record<string, unknown>} [params] */
export function address(path, params = {}) {
  const query = { ...params };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = String(query[name]);
    delete query[name];
    // The path of an audio file has parts.
    return name === "path" ? value : encodeURIComponent(value);
  });
  return withQuery(filled, query);
}

/** @template {import("../../api_calls.d.ts").PathWith<"get">} P @param {P} path @param {Params<P, "get">} [params] @returns {Promise<Answer<P, "get">>} */
export async function get(path, params) {
  return (await request(address(path, params))).json();
}

/** @template {import("../../api_calls.d.ts").PathWith<"post">} P @param {P} path @param {Body<P, "post">} [body] @param {Params<P, "post">} [params] @returns {Promise<Answer<P, "post">>} */
export async function post(path, body, params) {
  const answer = await request(address(path, params), { method: "POST", body });
  const text = await answer.text();
  return JSON.parse(text || "null");
}

/** Reads a text and the version it has. @param {Params<"/v1/project/{kind}/{name}", "get">} params */
export async function getVersion(params) {
  const answer = await request(address("/v1/project/{kind}/{name}", params));
  /** @type {Answer<"/v1/project/{kind}/{name}", "get">} */
  const body = await answer.json();
  return { body, etag: answer.headers.get("etag") ?? "" };
}

/** Replaces the version of a text that was read, or makes a new one. @param {Params<"/v1/project/{kind}/{name}", "put">} params @param {Body<"/v1/project/{kind}/{name}", "put">} body @param {string | null} etag */
export async function putVersion(params, body, etag) {
  const answer = await request(address("/v1/project/{kind}/{name}", params), { method: "PUT", body, headers: etag ? { "If-Match": etag } : { "If-None-Match": "*" } });
  return answer.headers.get("etag") ?? "";
}

/** A file as an address that elements can show and play. They send no token, so that it is fetched here. @param {string} path */
export async function objectUrl(path) {
  return URL.createObjectURL(await (await request(path)).blob());
}

/** An address with a query of the values that there are. @param {string} path @param {Record<string, unknown>} query */
function withQuery(path, query) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}
