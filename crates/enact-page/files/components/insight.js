// Why a line is as it is: who played it, what its character had been told, and how its answer was read.

import { duration, number, words } from "../lib/format.js";
import { html } from "../lib/html.js";
import { role } from "../state/scene.js";
import { iconButton } from "./icon.js";

/** @param {import("../state/scene.js").Scene} scene @param {number | null} id of a line @param {() => void} close */
export function insight(scene, id, close) {
  const line = id === null ? undefined : scene.lines.find((one) => one.id === id);
  if (!line?.insight) return null;
  const { model, tookMs, usage, warnings, raw, notes } = line.insight;
  const who = role(scene, line.who ?? "");
  const input = (usage?.uncached ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
  return html`
    <section class="panel insight" data-hue=${who?.hue} aria-labelledby="insight-title">
      <div class="spread"><h2 id="insight-title">Why <span class="insight-name">${who?.display}</span> said this</h2>${iconButton("close", "Close", close)}</div>
      <dl class="facts">
        <div><dt>Played by</dt><dd>${model === "human" ? "a person" : (scene.models[model]?.description ?? model)}</dd></div>
        ${tookMs === null ? null : html`<div><dt>Took</dt><dd>${duration(tookMs)}</dd></div>`}
        ${input ? html`<div><dt>Read</dt><dd>${number(input)} tokens, ${number(usage?.cacheRead ?? 0)} from cache</dd></div>` : null}
        ${input ? html`<div><dt>Wrote</dt><dd>${number(usage?.output ?? 0)} tokens</dd></div>` : null}
      </dl>
      ${notes.length ? html`<h3>Whispered before</h3><ul class="whispers">${notes.map((note) => html`<li>${note.text} <span class="hint">${words(note.why)}${note.toAll ? ", to all" : ""}</span></li>`)}</ul>` : null}
      ${warnings.length ? html`<h3>How it was read</h3><ul class="whispers">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>` : null}
      ${raw ? html`<details><summary>What was written</summary><pre class="plain">${raw}</pre></details>` : null}
      <details><summary>The sheet</summary><pre class="plain">${who?.sheet}</pre></details>
    </section>`;
}
