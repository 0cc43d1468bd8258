// Fields: those that can be played here.

import { icon } from "../components/icon.js";
import { empty, failure, loading } from "../components/states.js";
import { get, post } from "../lib/api.js";
import { counted, title } from "../lib/format.js";
import { html } from "../lib/html.js";
import { navigate } from "../lib/router.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";

/** @typedef {{ name: string, title: string, people: string[], minutes: number | null }} FieldOffer */

class Fields extends View {
  #fields = signal(/** @type {FieldOffer[] | null} */ (null));
  #error = signal(/** @type {Error | null} */ (null));
  #problem = signal("");

  connected() {
    this.#load();
  }

  async #load() {
    try {
      this.#fields.value = /** @type {any} */ (await get("/v1/fields")).fields;
      this.#error.value = null;
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  /** @param {SubmitEvent} event @param {string} field */
  async #begin(event, field) {
    event.preventDefault();
    const values = new FormData(/** @type {HTMLFormElement} */ (event.target));
    try {
      const { runId } = await post("/v1/fields", { field, speed: Number(values.get("speed")), minutes: Number(values.get("minutes")) });
      navigate(`/runs/${runId}`);
    } catch (error) {
      this.#problem.value = /** @type {Error} */ (error).message;
    }
  }

  view() {
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    const fields = this.#fields.value;
    if (!fields) return loading("Looking for fields");
    if (!fields.length) return empty("This project has no fields.", html`<p>A field is a file <code>field.md</code> in the folder that enact serves, or right below it.</p>`);
    return html`
      <div class="stack">
        <h1>Fields</h1>
        <p class="problem" role="alert">${this.#problem.value}</p>
        <ul class="offers">${fields.map((one) => html`
          <li class="offer"><h2 class="offer-title">${one.title || title(one.name)}</h2>
            <p class="hint">${counted(one.people.length, "person", "people")}${one.people.length ? `: ${one.people.slice(0, 12).map(title).join(", ")}${one.people.length > 12 ? " …" : ""}` : ""}</p>
            <form class="begin-field" aria-label=${`Begin ${one.title || one.name}`} @submit=${(/** @type {SubmitEvent} */ event) => this.#begin(event, one.name)}>
              <label>Minutes <input name="minutes" type="number" min="1" max="1440" .value=${String(one.minutes ?? 10)} /></label>
              <label>Speed <select name="speed"><option value="1">1×</option><option value="5">5×</option><option value="20">20×</option><option value="60">60×</option></select></label>
              <button class="button primary">${icon("play")} Begin</button>
            </form></li>`)}</ul>
      </div>`;
  }
}

customElements.define("enact-fields", Fields);
