// Light or dark: as the system says, until the user says otherwise.

const KEY = "enact-theme";

/** @param {string} theme */
const show = (theme) => (document.documentElement.dataset.theme = theme);

try {
  const chosen = localStorage.getItem(KEY);
  if (chosen) show(chosen);
} catch {
  // A file that is opened from disk may keep nothing.
}

export function toggleTheme() {
  const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  show(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It holds for this visit.
  }
}
