// The sign-in: a token, tried before it is kept.

import { get, signIn, signOut, token } from "../lib/api.js";
import { html } from "../lib/html.js";
import { signal } from "../lib/signal.js";

const problem = signal("");
/** Whether the server lets people play episodes without a token. */
const takesGuests = signal(false);

/** Asks the server whether it takes guests, as one. */
export async function lookForGuests() {
  takesGuests.value = await fetch("/v1/episodes").then(({ ok }) => ok, () => false);
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const secret = String(form.get("token")).trim();
  token.value = secret;
  try {
    await get("/v1/runs", { limit: 1 });
    problem.value = "";
    signIn(secret, form.has("remember"));
  } catch (error) {
    signOut();
    problem.value = /** @type {Error} */ (error).message;
  }
}

export const signInForm = () => html`
  <form class="card sign-in" @submit=${submit}>
    <h1>Sign in</h1>
    <p>${token.value ? "The server no longer takes the token of this browser. Whoever runs it has another." : "This server needs a token. Whoever runs it has one."}</p>
    <label>Token <input name="token" type="password" required autocomplete="current-password" autofocus aria-describedby="sign-in-problem" /></label>
    <label class="check"><input type="checkbox" name="remember" /> Keep it in this browser</label>
    <p id="sign-in-problem" class="problem" role="alert">${problem.value}</p>
    <button class="button primary">Sign in</button>
    ${takesGuests.value ? html`<p class="hint">Or without one: <a href="/episodes">play an episode as a guest</a>.</p>` : null}
  </form>`;
