// The export menu: a run as a file. Files are fetched here, because links send no token.

import { address, objectUrl } from "../lib/api.js";
import { html } from "../lib/html.js";
import { icon } from "./icon.js";

const FORMATS = [
  { format: "html", extension: "html", name: "One HTML file, replays offline" },
  { format: "txt", extension: "txt", name: "Text" },
  { format: "md", extension: "md", name: "Markdown" },
  { format: "fountain", extension: "fountain", name: "Screenplay (Fountain)" },
  { format: "vtt", extension: "vtt", name: "Captions (WebVTT)" },
  { format: "json", extension: "json", name: "JSON" },
  { format: "metadata", extension: "metadata.json", name: "Metadata" },
  { format: "debug", extension: "debug.log", name: "How it came about" },
];

/** @param {string} path @param {string} file */
export async function save(path, file) {
  saveUrl(await objectUrl(path), file);
}

/** @param {string} url @param {string} file */
export function saveUrl(url, file) {
  const link = Object.assign(document.createElement("a"), { href: url, download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {Event} event in a menu */
function close({ currentTarget }) {
  const menu = /** @type {HTMLDetailsElement} */ (currentTarget);
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/** @param {Event} event in a menu */
const isChoice = ({ target }) => target instanceof Element && Boolean(target.closest("li button"));

/** @param {string} run @param {string} name @param {(error: Error) => void} onError */
export const exportMenu = (run, name, onError) => html`
  <details class="menu" @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close(event)} @click=${(/** @type {MouseEvent} */ event) => isChoice(event) && close(event)}>
    <summary class="button">${icon("download")} Export</summary>
    <ul>
      ${FORMATS.map((one) => html`<li><button type="button" @click=${() => save(address("/v1/runs/{id}/transcript", { id: run, format: one.format }), `${name}.${one.extension}`).catch(onError)}>${one.name}</button></li>`)}
      <li><button type="button" @click=${() => save(address("/v1/runs/{id}/recording", { id: run }), `${name}.wav`).catch(onError)}>Recording (WAV)</button></li>
      <li><button type="button" @click=${() => save(address("/v1/runs/{id}/log", { id: run }), `${name}.jsonl`).catch(onError)}>The log (JSON lines)</button></li>
    </ul>
  </details>`;
