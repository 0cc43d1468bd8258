// How the judge reads the goals of a scene that was checked.

import { html } from "../lib/html.js";
import { icon } from "./icon.js";

/** @param {{ text: string, readable: boolean, reading: string, heardAs?: string }[]} goals */
export const readGoals = (goals) =>
  !goals.length
    ? null
    : html`<ul class="read-goals" aria-label="How the goals are read">${goals.map(({ text, readable, reading, heardAs }) => html`
        <li class=${readable ? "" : "unread"}>${icon(readable ? "check" : "unknown")}
          <div><strong>${text}</strong><span>${reading}</span>${heardAs ? html`<span>${heardAs}</span>` : null}</div></li>`)}</ul>`;
