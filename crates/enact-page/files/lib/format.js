// How numbers, times and words are written.

/** @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A place in a recording or a replay. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A sum that is not known is not nothing. @param {number | null | undefined} usd */
export function money(usd) {
  if (usd === null || usd === undefined) return "unknown";
  if (usd === 0) return "$0";
  return `$${usd < 0.01 ? usd.toFixed(5) : usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** @param {number} count */
export const number = (count) => count.toLocaleString("en-US");

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** @param {string | number} at @param {number} [now] */
export function ago(at, now = Date.now()) {
  const seconds = Math.round((now - new Date(at).getTime()) / 1000);
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 7 * 86_400) return counted(Math.floor(seconds / 86_400), "day") + " ago";
  return new Date(at).toISOString().slice(0, 10);
}

/** `goal_achieved` as people read it. @param {string} name */
export function words(name) {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `the-apology` as a title. @param {string} name */
export const title = (name) => name.split(/[-_]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");

/** @param {string} text */
export const countWords = (text) => text.split(/\s+/).filter(Boolean).length;
