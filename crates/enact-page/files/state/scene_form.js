// The form of a new scene: what is filled in, what is sent, and which field an error of the server belongs to.

/** @typedef {{ name: string, display: string, about: string }} Character */
/** @typedef {{ name: string, model: string, sheet?: string }} Role */
/** @typedef {{ name: string, setting: string, prompt: string, goals: string, roles: Role[], opener: string, maxBeats: string, budget: string, humanTimeout: string }} SceneForm */

/** @returns {SceneForm} */
export const emptyForm = () => ({ name: "", setting: "", prompt: "", goals: "", roles: [], opener: "", maxBeats: "", budget: "", humanTimeout: "" });

/** The form for a scene that is offered. @param {{ config: any, sheets?: Record<string, string> }} offer @returns {SceneForm} */
export function fromOffer({ config, sheets = {} }) {
  const models = config.models ?? {};
  return {
    name: config.name ?? "",
    setting: config.setting ?? "",
    prompt: config.prompt ?? "",
    goals: (config.goals ?? []).map((/** @type {any} */ goal) => (typeof goal === "string" ? goal : goal.text)).join("\n"),
    roles: (config.characters ?? []).map((/** @type {string} */ name) => ({ name, model: models[name] ?? "", sheet: sheets[name] })),
    opener: config.initialSpeaker ?? "",
    maxBeats: config.maxBeats ? String(config.maxBeats) : "",
    budget: config.budget ? String(config.budget) : "",
    humanTimeout: "",
  };
}

/** What is sent to be checked or played: only what was filled in. @param {SceneForm} form */
export function toRequest(form) {
  /** @type {Record<string, any>} */
  const config = { name: slug(form.name), characters: form.roles.map(({ name }) => name), prompt: form.prompt };
  if (form.setting.trim()) config.setting = form.setting.trim();
  const goals = form.goals.split("\n").map((goal) => goal.trim()).filter(Boolean);
  if (goals.length) config.goals = goals;
  if (form.opener) config.initialSpeaker = form.opener;
  if (form.maxBeats) config.maxBeats = Number(form.maxBeats);
  if (form.budget) config.budget = Number(form.budget);
  const models = Object.fromEntries(form.roles.filter(({ model }) => model).map(({ name, model }) => [name, model]));
  if (Object.keys(models).length) config.models = models;
  if (Object.values(models).includes("human")) config.humanTimeoutSeconds = form.humanTimeout ? Number(form.humanTimeout) : "none";
  const sheets = Object.fromEntries(form.roles.filter(({ sheet }) => sheet).map(({ name, sheet }) => [name, sheet]));
  return Object.keys(sheets).length ? { config, sheets } : { config };
}

/** A title as a plain name. @param {string} text */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[^\w\s-]/g, "").trim().replace(/[\s_]+/g, "-").toLowerCase();
  return plain.replace(/^-+/, "").slice(0, 64) || "untitled";
}

/** Words of the server's messages, and the field they are about. @type {[RegExp, string][]} */
const FIELDS = [
  [/^name\b|scene name/i, "name"],
  [/character|sheet|cast\b/i, "roles"],
  [/models?\b/i, "roles"],
  [/goal/i, "goals"],
  [/initialSpeaker|opener|speaker/i, "opener"],
  [/maxBeats|beats/i, "maxBeats"],
  [/budget/i, "budget"],
  [/setting/i, "setting"],
  [/prompt|situation|text/i, "prompt"],
];

/** The field that an error belongs to; nothing if it is about the whole. @param {{ message: string, context?: Record<string, any> }} error */
export function fieldOf({ message, context = {} }) {
  if (context.character) return "roles";
  const path = String(context.path ?? "").replace(/^config\./, "");
  return FIELDS.find(([word]) => word.test(path))?.[1] ?? FIELDS.find(([word]) => word.test(message))?.[1] ?? null;
}
