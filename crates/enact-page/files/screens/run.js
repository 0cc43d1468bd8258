// A run: which production it is decides how it is shown.

import "./chorus.js";
import "./episode.js";
import "./field.js";
import "./scene.js";
import "./log.js";
import { failure, loading } from "../components/states.js";
import { get, isGuest } from "../lib/api.js";
import { title } from "../lib/format.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";

class Run extends View {
  run = "";
  #details = signal(/** @type {any} */ (null));
  #error = signal(/** @type {Error | null} */ (null));

  connected() {
    this.#load();
  }

  async #load() {
    this.#error.value = null;
    // Guests have episodes, and may ask for nothing else.
    if (isGuest()) return (this.#details.value = { production: "episode" });
    try {
      const details = await get("/v1/runs/{id}", { id: this.run });
      this.#details.value = details;
      if (this.isConnected) document.title = `${title(details.name)} · enact`;
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  view() {
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    const details = this.#details.value;
    if (!details) return loading("Opening the run");
    switch (details.production) {
      case "scene":
        return html`<enact-scene .run=${this.run} .finished=${details.status === "finished"}></enact-scene>`;
      case "chorus":
        return html`<enact-chorus .run=${this.run} .asked=${details.metadata?.message ?? ""}></enact-chorus>`;
      case "episode":
        return html`<enact-episode .run=${this.run}></enact-episode>`;
      case "field":
        return html`<enact-field .run=${this.run}></enact-field>`;
      default:
        return html`<enact-log .run=${this.run} .details=${details}></enact-log>`;
    }
  }
}

customElements.define("enact-run", Run);
