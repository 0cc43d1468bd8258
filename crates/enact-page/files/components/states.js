// What is shown where there is nothing yet, nothing at all, or something went wrong.

import { html } from "../lib/html.js";

/** @param {string} what */
export const loading = (what) => html`<p class="state" role="status"><span class="pulse" aria-hidden="true"></span>${what}</p>`;

/** @param {string} title @param {unknown} [more] */
export const empty = (title, more) => html`<div class="state empty"><p class="state-title">${title}</p>${more}</div>`;

/** An error in the server's words, with its hint. @param {Error & { hint?: string }} error @param {() => void} [retry] */
export const failure = (error, retry) => html`
  <div class="state failure" role="alert">
    <p class="state-title">${capital(error.message)}.</p>
    ${error.hint ? html`<p>${capital(error.hint)}.</p>` : null}
    <div class="row">
      ${retry ? html`<button type="button" class="button" @click=${retry}>Try again</button>` : null}
      <a class="button quiet" href="/">All runs</a>
    </div>
  </div>`;

/** Whether events come. Nothing is shown as long as they do. @param {import("../lib/stream.js").Connection} connection */
export const connectionNote = (connection) => html`
  <p class="connection" role="status" ?hidden=${connection !== "lost"}>
    ${connection === "lost" ? html`<span class="pulse" aria-hidden="true"></span>Connection lost. Reconnecting; nothing is missed.` : null}
  </p>`;

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, "");
