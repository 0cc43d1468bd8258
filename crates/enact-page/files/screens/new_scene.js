// A new scene: from an example, or from a form; checked by the server before it is played.

import { icon, iconButton } from "../components/icon.js";
import { readGoals } from "../components/read_goals.js";
import { failure, loading } from "../components/states.js";
import { get, post } from "../lib/api.js";
import { title, words } from "../lib/format.js";
import { html } from "../lib/html.js";
import { navigate } from "../lib/router.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { emptyForm, fieldOf, fromOffer, slug, toRequest } from "../state/scene_form.js";

/** @typedef {import("../state/scene_form.js").SceneForm} SceneForm */

/** How long after the last change a scene is checked. */
const CHECK_AFTER_MS = 500;

class NewScene extends View {
  #offers = signal(/** @type {any} */ (null));
  #error = signal(/** @type {Error | null} */ (null));
  #form = signal(emptyForm());
  #checked = signal(/** @type {any} */ (null));
  #problem = signal(/** @type {any} */ (null));
  #starting = signal(false);
  #timer = 0;

  connected() {
    get("/v1/project").then((offers) => (this.#offers.value = offers), (error) => (this.#error.value = error));
    this.cleanup(() => clearTimeout(this.#timer));
  }

  /** @param {Partial<SceneForm>} changes */
  #change(changes) {
    this.#form.value = { ...this.#form.peek(), ...changes };
    clearTimeout(this.#timer);
    this.#timer = /** @type {any} */ (setTimeout(() => this.#check(), CHECK_AFTER_MS));
  }

  async #check() {
    const form = this.#form.peek();
    if (!form.prompt.trim() || form.roles.length < 2) return;
    try {
      this.#checked.value = await post("/v1/check", toRequest(form));
      this.#problem.value = null;
    } catch (error) {
      this.#checked.value = null;
      this.#problem.value = error;
    }
  }

  /** @param {any} offer */
  #take(offer) {
    this.#form.value = fromOffer(offer);
    this.#check();
    requestAnimationFrame(() => this.querySelector("form")?.scrollIntoView({ behavior: "smooth" }));
  }

  /** @param {SubmitEvent} event */
  async #play(event) {
    event.preventDefault();
    this.#starting.value = true;
    try {
      const { runId } = await post("/v1/scenes", toRequest(this.#form.peek()));
      navigate(`/runs/${runId}`);
    } catch (error) {
      this.#problem.value = error;
      this.#starting.value = false;
      requestAnimationFrame(() => /** @type {HTMLElement | null} */ (this.querySelector("[aria-invalid=true]"))?.focus());
    }
  }

  view() {
    if (this.#error.value) return failure(this.#error.value);
    const offers = this.#offers.value;
    if (!offers) return loading("Looking at the project");
    return html`
      <div class="new-scene">
        <section class="stack" aria-labelledby="examples-title">
          <div class="spread"><h1>New scene</h1>${offers.editable ? html`<a class="button" href="/edit">${icon("pencil")} Edit the project</a>` : null}</div>
          <h2 id="examples-title">Begin with one of these</h2>
          <ul class="examples">${offers.scenes.map((/** @type {any} */ offer) => html`
            <li><button type="button" class="example" @click=${() => this.#take(offer)}>
              <strong>${title(offer.config.name)}</strong>
              <span>${offer.config.setting ?? offer.config.prompt.slice(0, 120)}</span>
              <span class="hint">${offer.config.characters.map(title).join(", ")}${offer.example ? "" : " · of this project"}</span></button></li>`)}</ul>
        </section>
        ${this.#sceneForm(offers)}
      </div>`;
  }

  /** @param {any} offers */
  #sceneForm(offers) {
    const form = this.#form.value;
    const problem = this.#problem.value;
    const at = problem ? fieldOf(problem) : null;
    const told = problem ? html`${problem.message}${problem.hint ? html` (${problem.hint})` : null}` : null;
    const wrong = (/** @type {string} */ field) => (at === field ? html`<span class="problem" role="alert">${told}</span>` : null);
    const invalid = (/** @type {string} */ field) => (at === field ? "true" : null);
    const set = (/** @type {keyof SceneForm} */ key) => (/** @type {any} */ event) => this.#change({ [key]: event.target.value });
    /**
     * A number with its name; what is wrong with it stands below.
     * @param {string} name @param {"maxBeats" | "humanTimeout" | "budget" | "budgetTokens"} key
     * @param {{ min: string, max?: string, step?: string, placeholder: string }} limits
     */
    const amount = (name, key, { min, max, step, placeholder }) => {
      // Both limits are one budget: what is wrong with it stands below the two.
      const isBudget = key === "budget" || key === "budgetTokens";
      return html`
        <label>${name} <input type="number" min=${min} max=${max} step=${step} .value=${form[key]} @input=${set(key)}
          aria-invalid=${invalid(isBudget ? "budget" : key)} placeholder=${placeholder} />${isBudget ? null : wrong(key)}</label>`;
    };
    return html`
      <form class="card scene-form" @submit=${(/** @type {SubmitEvent} */ event) => this.#play(event)}>
        <label>Name <input required maxlength="80" .value=${form.name} @input=${set("name")} aria-invalid=${invalid("name")} placeholder="the-apology" />${wrong("name")}</label>
        <label>Where it is
          <input .value=${form.setting} @input=${set("setting")} aria-invalid=${invalid("setting")} placeholder="A glass-walled conference room, late afternoon." />
          ${wrong("setting")}</label>
        <label>What has happened, and what is at stake
          <textarea required rows="5" .value=${form.prompt} @input=${set("prompt")} aria-invalid=${invalid("prompt")}
            placeholder="Bob missed a deadline. Alice, his manager, confronts him."></textarea>
          ${wrong("prompt")}</label>
        <label>Goals, one a line
          <textarea rows="3" .value=${form.goals} @input=${set("goals")} aria-invalid=${invalid("goals")} placeholder="Bob apologizes to Alice"></textarea>
          <span class="hint">Without any, they are read out of the text above.</span>${wrong("goals")}</label>
        ${readGoals(this.#checked.value?.goals ?? [])}
        <fieldset aria-invalid=${invalid("roles")}><legend>Cast</legend>
          ${form.roles.map((role, index) => this.#role(role, index, offers))}
          ${this.#adder(form, offers)}
          ${wrong("roles")}
        </fieldset>
        <div class="fields">
          <label>Who begins
            <select @change=${set("opener")} aria-invalid=${invalid("opener")}><option value="">All at once</option>
              ${form.roles.map(({ name }) => html`<option value=${name} ?selected=${form.opener === name}>${title(name)}</option>`)}</select>
            ${wrong("opener")}</label>
          ${amount("Beats at most", "maxBeats", { min: "1", max: "200", placeholder: "30" })}
          ${form.roles.some(({ model }) => model === "human") ? amount("Seconds for your answers", "humanTimeout", { min: "5", placeholder: "as long as it takes" }) : null}
          ${amount("Dollars at most", "budget", { min: "0.000001", step: "any", placeholder: "no limit" })}
          ${amount("Tokens at most", "budgetTokens", { min: "1", placeholder: "no limit" })}
        </div>
        ${wrong("budget")}
        ${problem && !at ? html`<p class="problem" role="alert">${told}</p>` : null}
        <div class="row"><button class="button primary large" ?disabled=${this.#starting.value}>${icon("play")} Play it</button>
          ${this.#checked.value ? html`<span class="tag good">${icon("check")} It can be played</span>` : null}</div>
      </form>`;
  }

  /** @param {import("../state/scene_form.js").Role} role @param {number} index @param {any} offers */
  #role(role, index, offers) {
    const form = this.#form.peek();
    const replace = (/** @type {any} */ changes) => this.#change({ roles: this.#form.peek().roles.map((one, at) => (at === index ? { ...one, ...changes } : one)) });
    const leaveOut = () => this.#change({ roles: form.roles.filter((_, at) => at !== index), opener: form.opener === role.name ? "" : form.opener });
    const set = (/** @type {string} */ key) => (/** @type {any} */ event) => replace({ [key]: event.target.value });
    return html`
      <div class="role" data-hue=${index}>
        <span class="role-name">${title(role.name)}</span>
        <label><span class="visually-hidden">Who plays ${role.name}</span>
          <select @change=${set("model")}><option value="">as configured</option>
            ${offers.models.map((/** @type {string} */ model) => html`<option value=${model} ?selected=${role.model === model}>${model === "human" ? "you, or another person" : model}</option>`)}</select></label>
        <label><span class="visually-hidden">How ${role.name} sounds</span>
          <select @change=${set("voice")}><option value="">own voice</option>
            ${offers.voices.map((/** @type {string} */ voice) => html`<option value=${voice} ?selected=${role.voice === voice}>${words(voice)}</option>`)}</select></label>
        ${iconButton("close", `Leave out ${role.name}`, leaveOut)}
        ${role.sheet === undefined ? null : html`
          <details><summary>Sheet</summary>
            <label><span class="visually-hidden">Sheet of ${role.name}</span><textarea rows="8" .value=${role.sheet} @input=${set("sheet")}></textarea></label></details>`}
      </div>`;
  }

  /** A character without a sheet in the project gets one to be filled in. */
  #addNewcomer() {
    const input = /** @type {HTMLInputElement} */ (this.querySelector(".newcomer input"));
    const name = input.value.trim();
    if (!name) return;
    const sheet = `# ${name}\n\n## Personality\n- \n\n## Wants\n- \n`;
    this.#change({ roles: [...this.#form.peek().roles, { name: slug(name), model: "", sheet }] });
    input.value = "";
  }

  /** @param {SceneForm} form @param {any} offers */
  #adder(form, offers) {
    const absent = offers.characters.filter((/** @type {any} */ one) => !form.roles.some(({ name }) => name === one.name));
    const add = (/** @type {import("../state/scene_form.js").Role} */ role) => this.#change({ roles: [...this.#form.peek().roles, role] });
    const onEnter = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#addNewcomer();
    };
    return html`
      <div class="row">
        ${absent.map((/** @type {any} */ one) => html`<button type="button" class="button" title=${one.about} @click=${() => add({ name: one.name, model: "" })}>${icon("plus")} ${one.display}</button>`)}
      </div>
      <div class="newcomer">
        <label><span class="visually-hidden">Name of somebody new</span><input maxlength="60" placeholder="Somebody new" autocomplete="off" @keydown=${onEnter} /></label>
        <button type="button" class="button" @click=${() => this.#addNewcomer()}>${icon("plus")} Add</button>
      </div>`;
  }
}

customElements.define("enact-new-scene", NewScene);
