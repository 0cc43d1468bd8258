// What is edited: which sheets and scenes there are, what a new one begins with, and where a mistake is.

/** @typedef {"sheets" | "scenes"} Kind */

/** @param {string} name */
const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** What a new sheet or scene begins with. @param {Kind} kind @param {string} name @param {string[]} characters of the project */
export function beginning(kind, name, characters) {
  if (kind === "sheets") return `# ${name.split(/[-_]+/).map(capital).join(" ")} - \n\n## Personality\n- \n\n## Wants\n- \n\n## Hides\n- \n`;
  const cast = characters.slice(0, 2).join(", ");
  return `---\ncharacters: [${cast}]\nsetting: \ngoals:\n  - \n---\nWhat has happened, and what is at stake.\n`;
}

/** What is wrong with a name; nothing if it can be used. @param {string} name @param {string[]} taken */
export function nameProblem(name, taken) {
  if (!name) return "give it a name";
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return "a name has letters, digits, - and _, at most 64, and begins with a letter or a digit";
  return taken.includes(name) ? "there is one of this name already" : null;
}

/** Where in a text a line and a column are, both counted from 1. @param {string} text @param {number} line @param {number} column */
export function offset(text, line, column) {
  const lines = text.split("\n");
  const before = lines.slice(0, Math.max(0, line - 1)).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, before + Math.max(0, column - 1));
}
