// Costs as a table: rows, shares, and the same as CSV.

/**
 * @typedef {{
 *   key: string, name?: string, calls: number, totalTokens: number, estimatedUSD: number | null, knownUSD: number, unaccounted: number,
 *   usage: { uncached: number, cacheRead: number, cacheWrite: number, output: number },
 * }} Group
 */
/** @typedef {{ key: string, name: string, calls: number, tokens: number, input: number, cached: number, output: number, usd: number | null, unaccounted: number, share: number }} Row */

/** Rows with each one's share of the money or, where nothing costs anything, of the calls. @param {Group[]} groups @returns {Row[]} */
export function rows(groups) {
  const money = groups.reduce((sum, group) => sum + group.knownUSD, 0);
  const tokens = groups.reduce((sum, group) => sum + group.totalTokens, 0);
  const calls = groups.reduce((sum, group) => sum + group.calls, 0);
  /** @param {Group} group */
  const share = (group) => (money ? group.knownUSD / money : tokens ? group.totalTokens / tokens : calls ? group.calls / calls : 0);
  return groups.map((group) => ({
    key: group.key,
    name: group.name ?? group.key,
    calls: group.calls,
    tokens: group.totalTokens,
    input: group.usage.uncached + group.usage.cacheWrite,
    cached: group.usage.cacheRead,
    output: group.usage.output,
    usd: group.estimatedUSD,
    unaccounted: group.unaccounted,
    share: share(group),
  }));
}

/** What the bars of a plot are of. @param {Row[]} rows @returns {"money" | "tokens" | "calls"} */
export function measure(rows) {
  if (rows.some((row) => row.usd)) return "money";
  return rows.some((row) => row.tokens) ? "tokens" : "calls";
}

/** A cell that spreadsheets read as what it is: text that begins like a formula is kept from being one. @param {unknown} value */
function cell(value) {
  const text = value === null ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {string} by @param {Row[]} rows */
export function csv(by, rows) {
  const head = [by, "name", "calls", "input_tokens", "cached_tokens", "output_tokens", "usd", "unaccounted_calls"];
  const lines = rows.map((row) => [row.key, row.name, row.calls, row.input, row.cached, row.output, row.usd, row.unaccounted]);
  return [head, ...lines].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}
