// The form of a new scene: what is filled in, what is sent, and which field an error of the server belongs to.

/** @typedef {{ name: string, display: string, about: string }} Character */
/** @typedef {{ name: string, model: string, voice?: string, sheet?: string }} Role */
/** @typedef {{ name: string, setting: string, prompt: string, goals: string, roles: Role[], opener: string, maxBeats: string, budget: string, budgetTokens: string, humanTimeout: string }} SceneForm */

/** @returns {SceneForm} */
export const emptyForm = () => ({ name: "", setting: "", prompt: "", goals: "", roles: [], opener: "", maxBeats: "", budget: "", budgetTokens: "", humanTimeout: "" });

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
    budget: "",
    budgetTokens: "",
    humanTimeout: "",
  };
}

/** @typedef {import("../lib/api.js").Body<"/v1/scenes", "post">} SceneRequest */

/** What is sent to be checked or played: only what was filled in. @param {SceneForm} form @returns {SceneRequest} */
export function toRequest(form) {
  /** @type {SceneRequest["config"]} */
  const config = { name: slug(form.name), characters: form.roles.map(({ name }) => name), prompt: form.prompt };
  if (form.setting.trim()) config.setting = form.setting.trim();
  const goals = form.goals.split("\n").map((goal) => goal.trim()).filter(Boolean);
  if (goals.length) config.goals = goals;
  if (form.opener) config.initialSpeaker = form.opener;
  if (form.maxBeats) config.maxBeats = Number(form.maxBeats);
  const models = Object.fromEntries(form.roles.filter(({ model }) => model).map(({ name, model }) => [name, model]));
  if (Object.keys(models).length) config.models = models;
  if (Object.values(models).includes("human")) config.humanTimeoutSeconds = form.humanTimeout ? Number(form.humanTimeout) : "none";
  const sheets = Object.fromEntries(form.roles.filter(({ sheet }) => sheet).map(({ name, sheet }) => [name, sheet ?? ""]));
  const voices = Object.fromEntries(form.roles.filter(({ voice }) => voice).map(({ name, voice }) => [name, voice ?? ""]));
  const budget = { ...(form.budget ? { usd: Number(form.budget) } : {}), ...(form.budgetTokens ? { tokens: Number(form.budgetTokens) } : {}) };
  const given = (/** @type {object} */ part) => Object.keys(part).length > 0;
  return { config, ...(given(sheets) ? { sheets } : {}), ...(given(voices) ? { voices } : {}), ...(given(budget) ? { budget } : {}) };
}

/** A title as a plain name. @param {string} text */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[^\w\s-]/g, "").trim().replace(/[\s_]+/g, "-").toLowerCase();
  return plain.replace(/^-+/, "").slice(0, 64) || "untitled";
}

/** The part of the form that shows what the server says of a key of the request. @type {Record<string, keyof SceneForm>} */
const FIELDS = {
  name: "name", setting: "setting", prompt: "prompt", goals: "goals", characters: "roles", models: "roles", sheets: "roles", voices: "roles",
  initialSpeaker: "opener", maxBeats: "maxBeats", humanTimeoutSeconds: "humanTimeout", budget: "budget",
};

/** The field that an error belongs to, as the server says; nothing if it is about the whole. @param {{ context?: Record<string, any> }} error */
export function fieldOf({ context = {} }) {
  if (context.character) return "roles";
  // What is not of the type it should be is named by its path: `budget.usd`.
  return FIELDS[context.field ?? String(context.path ?? "").split(".")[0]] ?? null;
}
