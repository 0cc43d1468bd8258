// A result that somebody has shared. It needs no token.

import { resultCard } from "../components/result_card.js";
import { empty, failure, loading } from "../components/states.js";
import { ApiError, get } from "../lib/api.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { View } from "../lib/view.js";

class Share extends View {
  share = "";
  #result = signal(/** @type {any} */ (null));
  #error = signal(/** @type {Error | null} */ (null));

  connected() {
    get(`/v1/share/${encodeURIComponent(this.share)}`).then((result) => (this.#result.value = result), (error) => (this.#error.value = error));
  }

  view() {
    const error = this.#error.value;
    if (error instanceof ApiError && error.status === 404) return empty("This result is no longer here.", html`<a class="button" href="/episodes">Episodes</a>`);
    if (error) return failure(error);
    if (!this.#result.value) return loading("Opening the result");
    const result = this.#result.value;
    return html`<div class="shared">${resultCard(result.evaluation ?? result)}<p><a class="button primary" href="/episodes">Find out what you are</a></p></div>`;
  }
}

customElements.define("enact-share", Share);
