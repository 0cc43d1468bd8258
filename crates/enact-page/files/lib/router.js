// Where the user is: the address as a signal, and links that change it without loading the page again.

import { signal } from "./signal.js";

const here = () => ({ path: location.pathname, query: new URLSearchParams(location.search) });

/** The address that is shown. */
export const place = signal(here());

/** Asks whether the address may be left for another. @typedef {(to: { path: string, query: URLSearchParams }) => boolean} LeaveGuard */

/** @type {LeaveGuard | null} */
let mayLeave = null;

/** Asks a screen before its address is left, by links and by the history. Returns how to stop that. @param {LeaveGuard} guard */
export function guardLeaving(guard) {
  mayLeave = guard;
  return () => {
    if (mayLeave === guard) mayLeave = null;
  };
}

/** Says whether the address was changed. @param {string} address @param {{ replace?: boolean }} [options] */
export function navigate(address, { replace = false } = {}) {
  const { pathname, searchParams } = new URL(address, location.href);
  if (mayLeave && !mayLeave({ path: pathname, query: searchParams })) return false;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  const before = place.peek().path;
  place.value = here();
  if (before !== place.peek().path) {
    scrollTo(0, 0);
    // Whoever goes by keyboard goes on from the beginning of what is new.
    document.getElementById("main")?.focus({ preventScroll: true });
  }
  return true;
}

/** Changes the query of the address, and adds nothing to the history. @param {Record<string, string | null>} changes */
export function setQuery(changes) {
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  return navigate(location.pathname + (text ? `?${text}` : ""), { replace: true });
}

/** Has links of this page change the address only. */
export function interceptLinks() {
  addEventListener("popstate", () => {
    const to = here();
    if (!mayLeave || mayLeave(to)) return (place.value = to);
    // The browser has left already: it is sent back to what is still shown.
    const { path, query } = place.peek();
    history.pushState(null, "", path + (query.size ? `?${query}` : ""));
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname.startsWith("/v1/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
