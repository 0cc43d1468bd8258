// Editing: the project's sheets and scenes, as files with a version, checked by the server when they are saved.

import { icon } from "../components/icon.js";
import { readGoals } from "../components/read_goals.js";
import { empty, failure, loading } from "../components/states.js";
import { get, getVersion, post, putVersion } from "../lib/api.js";
import { title } from "../lib/format.js";
import { html, repeat } from "../lib/html.js";
import { guardLeaving, place, setQuery } from "../lib/router.js";
import { effect, signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { beginning, nameProblem, offset } from "../state/editing.js";

/** @typedef {import("../state/editing.js").Kind} Kind */
/** What is being edited. `etag` is nothing for what is not there yet. @typedef {{ kind: Kind, name: string, text: string, saved: string, etag: string | null }} Draft */

class Edit extends View {
  #offers = signal(/** @type {any} */ (null));
  #error = signal(/** @type {Error | null} */ (null));
  #draft = signal(/** @type {Draft | null} */ (null));
  #problem = signal(/** @type {any} */ (null));
  /** What the server says of a scene that was saved. */
  #checked = signal(/** @type {any} */ (null));
  #told = signal("");
  #newProblem = signal("");

  connected() {
    this.#load();
    this.cleanup(effect(() => void this.#open(place.value.query)));
    this.cleanup(guardLeaving((to) => this.#isOfDraft(to) || this.#mayLose()));
    this.listen(window, "beforeunload", (event) => this.#isChanged() && event.preventDefault());
  }

  /** Whether an address is that of what is being edited. @param {{ path: string, query: URLSearchParams }} to */
  #isOfDraft({ path, query }) {
    return path === place.peek().path && this.#isDraft(query.get("kind"), query.get("name"));
  }

  /** @param {string | null} kind @param {string | null} name */
  #isDraft(kind, name) {
    const draft = this.#draft.peek();
    return draft !== null && draft.kind === kind && draft.name === name;
  }

  #mayLose() {
    return !this.#isChanged() || confirm("What you changed is not saved. Leave it?");
  }

  #isChanged() {
    const draft = this.#draft.peek();
    return draft !== null && draft.text !== draft.saved;
  }

  async #load() {
    try {
      this.#offers.value = await get("/v1/project");
      this.#error.value = null;
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  /** Opens what the address names. @param {URLSearchParams} query */
  async #open(query) {
    const [kind, name] = [query.get("kind"), query.get("name")];
    if (!name || (kind !== "sheets" && kind !== "scenes")) return (this.#draft.value = null);
    if (this.#isDraft(kind, name)) return;
    this.#draft.value = null;
    this.#told.value = "";
    this.#problem.value = this.#checked.value = null;
    try {
      const { body, etag } = await getVersion({ kind, name });
      if (place.peek().query !== query) return;
      this.#draft.value = { kind, name, text: body.text, saved: body.text, etag };
    } catch (error) {
      if (place.peek().query !== query) return;
      this.#draft.value = null;
      this.#problem.value = error;
    }
  }

  /** @param {SubmitEvent} event @param {Kind} kind */
  #begin(event, kind) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const name = String(new FormData(form).get("name")).trim();
    const problem = nameProblem(name, this.#names(kind));
    this.#newProblem.value = problem ?? "";
    if (problem || !this.#mayLose()) return;
    const characters = this.#offers.peek().characters.map((/** @type {any} */ one) => one.name);
    this.#problem.value = this.#checked.value = null;
    this.#told.value = "";
    this.#draft.value = { kind, name, text: beginning(kind, name, characters), saved: "", etag: null };
    setQuery({ kind, name });
    form.reset();
  }

  /** @param {Kind} kind @returns {string[]} */
  #names(kind) {
    const offers = this.#offers.peek();
    if (kind === "sheets") return offers.characters.map((/** @type {any} */ one) => one.name);
    return offers.scenes.filter((/** @type {any} */ one) => !one.example).map((/** @type {any} */ one) => one.config.name);
  }

  async #save() {
    const draft = this.#draft.peek();
    if (!draft) return;
    const { kind, name, text } = draft;
    this.#checked.value = null;
    try {
      const etag = await putVersion({ kind, name }, { text }, draft.etag);
      const now = this.#draft.peek();
      // Something else may have been opened meanwhile.
      if (now && this.#isDraft(kind, name)) {
        this.#draft.value = { ...now, saved: text, etag };
        this.#problem.value = null;
        this.#told.value = "Saved.";
      }
      await this.#load();
      if (kind === "scenes" && this.#isDraft(kind, name)) await this.#check(name);
    } catch (error) {
      if (!this.#isDraft(kind, name)) {
        this.#newProblem.value = `${title(name)} was not saved: ${/** @type {Error} */ (error).message}`;
        return;
      }
      this.#told.value = "";
      this.#problem.value = error;
      const { line, column } = /** @type {any} */ (error).context ?? {};
      const area = this.querySelector("textarea");
      if (!area || !line) return;
      const at = offset(text, line, column ?? 1);
      area.focus();
      area.setSelectionRange(at, at + 1);
    }
  }

  /** Whether what was saved can be played, and how its goals are read. @param {string} name */
  async #check(name) {
    const offer = this.#offers.peek().scenes.find((/** @type {any} */ one) => !one.example && one.config.name === name);
    if (!offer) return (this.#told.value = "Saved. It cannot be played yet: one of its characters has no sheet, or it has another name inside.");
    const checked = await post("/v1/check", { config: offer.config });
    if (this.#isDraft("scenes", name)) this.#checked.value = checked;
  }

  view() {
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    const offers = this.#offers.value;
    if (!offers) return loading("Looking at the project");
    if (!offers.editable) return empty("This project is not edited here.", html`<p>Start the server with <code>enact serve --edit</code>.</p>`);
    return html`
      <div class="edit">
        <nav class="stack" aria-label="Sheets and scenes">
          <h1>Project</h1>
          ${this.#list("sheets", "Sheets", "New character")}
          ${this.#list("scenes", "Scenes", "New scene")}
          <p class="problem" role="alert">${this.#newProblem.value}</p>
        </nav>
        ${this.#editor()}
      </div>`;
  }

  /** @param {Kind} kind @param {string} name @param {string} adds */
  #list(kind, name, adds) {
    const draft = this.#draft.value;
    const file = (/** @type {string} */ one) => html`
      <li><button type="button" class="person" aria-pressed=${String(draft?.kind === kind && draft.name === one)} @click=${() => setQuery({ kind, name: one })}>${title(one)}</button></li>`;
    return html`
      <section class="panel" aria-label=${name}>
        <h2>${name}</h2>
        <ul class="files">${repeat(this.#names(kind), (one) => one, file, draft)}</ul>
        <form class="newcomer" @submit=${(/** @type {SubmitEvent} */ event) => this.#begin(event, kind)}>
          <label><span class="visually-hidden">${adds}</span><input name="name" maxlength="64" autocomplete="off" placeholder=${adds} /></label>
          <button class="button" aria-label=${`Add: ${adds}`}>${icon("plus")}</button>
        </form>
      </section>`;
  }

  #editor() {
    const draft = this.#draft.value;
    const problem = this.#problem.value;
    if (!draft) return problem ? failure(problem) : html`<div class="state"><p class="state-title">Choose a sheet or a scene, or begin a new one.</p></div>`;
    const changed = draft.text !== draft.saved;
    const save = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#save();
    };
    const type = (/** @type {any} */ event) => (this.#draft.value = { ...draft, text: event.target.value });
    const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "s" && (event.ctrlKey || event.metaKey) && save(event);
    return html`
      <form class="card editor" @submit=${save}>
        <div class="spread"><h2 class="offer-title">${title(draft.name)}</h2><div class="row"><span class="hint" role="status">${changed ? "Not saved" : this.#told.value}</span>
          <button class="button primary" ?disabled=${!changed}>${icon("check")} Save</button></div></div>
        <label><span class="visually-hidden">Text of ${draft.name}</span>
          <textarea class="source" rows="24" spellcheck="false" aria-invalid=${problem ? "true" : null} .value=${draft.text} @input=${type} @keydown=${onKey}></textarea></label>
        ${problem ? this.#refusal(problem) : null}
        ${this.#verdict()}
      </form>`;
  }

  /** @param {any} problem */
  #refusal(problem) {
    const { line, column } = problem.context ?? {};
    return html`<div role="alert"><p class="problem">${line ? `Line ${line}, column ${column}: ` : ""}${problem.message}${problem.hint ? ` (${problem.hint})` : ""}</p>
      ${problem.status === 412 ? html`<button type="button" class="button" @click=${() => this.#readAgain()}>Read it again, and lose what you changed</button>` : null}</div>`;
  }

  #readAgain() {
    this.#draft.value = null;
    this.#open(place.peek().query);
  }

  #verdict() {
    const checked = this.#checked.value;
    if (!checked) return null;
    return html`<div class="stack"><p class="row"><span class="tag good">${icon("check")} It can be played</span><a href="/new">Play it</a></p>
      ${readGoals(checked.goals)}</div>`;
  }
}

customElements.define("enact-edit", Edit);
