// What an episode came to: a card with a quotation, to be kept and shared.

import { html } from "../lib/html.js";
import { words } from "../lib/format.js";

/** @param {any} evaluation @param {{ share?: () => void, picture?: () => void, copied?: boolean, link?: string }} [actions] */
export function resultCard(evaluation, { share, picture, copied, link } = {}) {
  const title = evaluation.title ?? (evaluation.evaluation_type ? words(evaluation.evaluation_type) : "The end");
  return html`
    <section class="result" aria-label="Result">
      <p class="result-kind">${evaluation.evaluation_type === "flirt_archetype" ? "You are" : "What it came to"}</p>
      <h2 class="result-title">${title}</h2>
      ${evaluation.tagline ? html`<p class="result-tagline">${evaluation.tagline}</p>` : null}
      ${evaluation.description || evaluation.summary ? html`<p>${evaluation.description ?? evaluation.summary}</p>` : null}
      ${evaluation.quote ? html`<blockquote>“${evaluation.quote}”</blockquote>` : null}
      ${list("Moments", evaluation.key_moments)}${list("Clues found", evaluation.clues_found?.map(words))}${list("Cleared", evaluation.suspects_cleared?.map(words))}
      ${evaluation.current_theory ? html`<p>${evaluation.current_theory}</p>` : null}
      ${share || picture ? html`<div class="row">
        ${share ? html`<button type="button" class="button primary" @click=${share}>${copied ? "Link copied" : "Copy a link to share"}</button>` : null}
        ${link ? html`<label><span class="visually-hidden">Link to the result</span><input readonly .value=${link} @focus=${(/** @type {any} */ event) => event.target.select()} /></label>` : null}
        ${picture ? html`<button type="button" class="button" @click=${picture}>Save as a picture</button>` : null}
      </div>` : null}
    </section>`;
}

/** @param {string} name @param {unknown[] | undefined} items */
const list = (name, items) => (items?.length ? html`<div><h3>${name}</h3><ul class="moments">${items.map((item) => html`<li>${typeof item === "string" ? item : JSON.stringify(item)}</li>`)}</ul></div>` : null);

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 90];

/** The card as a picture, for places that show no pages. @param {any} evaluation @returns {Promise<Blob | null>} */
export function resultPicture(evaluation) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#1f4d57";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = "#f6f1e4";
  let y = 170;
  /** @param {string} text @param {string} font @param {number} height */
  const write = (text, font, height) => {
    context.font = font;
    for (const line of wrapped(context, text, WIDTH - 2 * MARGIN)) {
      context.fillText(line, MARGIN, y);
      y += height;
    }
  };
  write(evaluation.title ?? "The end", "600 76px Georgia, serif", 88);
  if (evaluation.tagline) write(evaluation.tagline, "italic 36px Georgia, serif", 48);
  y += 40;
  if (evaluation.quote) write(`“${evaluation.quote}”`, "34px Georgia, serif", 46);
  context.font = "26px Georgia, serif";
  context.fillText("enact", MARGIN, HEIGHT - 60);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function wrapped(context, text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.slice(0, 5);
}
