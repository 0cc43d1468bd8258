// The server's API: requests with the token, and errors in the server's own words.

import { signal } from "./signal.js";

const TOKEN_KEY = "enact-token";

/** Where the token is kept: for this tab, or for this browser. Neither is there in a file that is opened from disk. */
function stored() {
  try {
    return sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY) ?? "";
  } catch {
    return "";
  }
}

/** The token that requests carry; nothing where none is needed. */
export const token = signal(stored());
/** Whether the server has refused a request for want of a token. */
export const needsToken = signal(false);

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

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request(path)).json();

/** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export async function post(path, body) {
  const answer = await request(path, { method: "POST", body });
  const text = await answer.text();
  return text ? JSON.parse(text) : null;
}

/** A file as an address that elements can show and play. They send no token, so that it is fetched here. @param {string} path */
export async function objectUrl(path) {
  return URL.createObjectURL(await (await request(path)).blob());
}

/** An address with a query of the values that there are. @param {string} path @param {Record<string, unknown>} query */
export function withQuery(path, query) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}
