// A run of a production that has no screen of its own: its transcript as text.

import { exportMenu } from "../components/export_menu.js";
import { failure, loading } from "../components/states.js";
import { address, request } from "../lib/api.js";
import { title } from "../lib/format.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { statusTag } from "./home.js";

class Log extends View {
  run = "";
  /** @type {any} */
  details = null;
  #text = signal(/** @type {string | null} */ (null));
  #error = signal(/** @type {Error | null} */ (null));

  connected() {
    this.#load();
  }

  async #load() {
    try {
      this.#text.value = await (await request(address("/v1/runs/{id}/transcript", { id: this.run }))).text();
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  view() {
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    if (this.#text.value === null) return loading("Reading the transcript");
    return html`
      <div class="stack">
        <div class="spread"><h1>${title(this.details.name)}</h1><div class="row">${statusTag(this.details)}${exportMenu(this.run, this.details.name, (error) => (this.#error.value = error))}</div></div>
        <pre class="card plain">${this.#text.value}</pre>
      </div>`;
  }
}

customElements.define("enact-log", Log);
