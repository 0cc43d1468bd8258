// A conversation with one character: the card that it begins with, what is said by whom, and what could be said.

import { html } from "../lib/html.js";

/** @param {{ situation: string, dramatic_question?: string | null }} card */
export const sceneCard = ({ situation, dramatic_question: question }) => html`
  <li class="scene-card"><p>${situation}</p>${question ? html`<p class="question">${question}</p>` : null}</li>`;

/** What the character says. @param {string} name @param {unknown} said @param {string} [action] */
export const theirs = (name, said, action) => html`
  <li class="said-by them"><p class="speaker">${name}</p>${action ? html`<p class="action">${action}</p>` : null}<p class="bubble">${said}</p></li>`;

/** What the user says. @param {string} said */
export const yours = (said) => html`<li class="said-by you"><p class="bubble">${said}</p></li>`;

/** What could be said first. @param {string[] | undefined} texts @param {(text: string) => void} say @param {boolean} [disabled] */
export function starters(texts, say, disabled = false) {
  if (!texts?.length) return null;
  const button = (/** @type {string} */ text) => html`<button type="button" class="button" ?disabled=${disabled} @click=${() => say(text)}>${text}</button>`;
  return html`<div class="starters" role="group" aria-label="What you could say">${texts.map(button)}</div>`;
}

/** What can be chosen instead of words. @param {import("../state/episode.js").Choice} choice @param {((choice: { id: string, label: string }) => void) | null} choose nothing in a replay */
export const choices = ({ prompt, choices: all }, choose) => html`
  <div class="choices" role="group" aria-label=${prompt}><p>${prompt}</p>
    ${all.map((one) => html`<button type="button" class="button" ?disabled=${!choose} @click=${() => choose?.(one)}>${one.label}</button>`)}</div>`;

/** How far it is, where the story shows its beats. @param {{ index: number, of: number } | null} beat */
export function progressDots(beat) {
  if (!beat) return null;
  const dots = Array.from({ length: beat.of }, (_, at) => html`<span class=${at < beat.index ? "dot done" : "dot"}></span>`);
  return html`<p class="dots" role="img" aria-label=${`Part ${beat.index} of ${beat.of}`}>${dots}</p>`;
}
