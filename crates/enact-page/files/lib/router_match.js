// Addresses compared with the patterns of screens.

/** @param {string} pattern `/runs/{id}` @param {string} path @returns {Record<string, string> | null} */
export function match(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  /** @type {Record<string, string>} */
  const found = {};
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name && given[index]) found[name] = decodeURIComponent(given[index]);
    else if (part !== given[index]) return null;
  }
  return found;
}
