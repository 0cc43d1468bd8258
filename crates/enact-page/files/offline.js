// A run in one file: shown from the log that stands in it, with the same components, without a server.

import "./screens/chorus.js";
import "./screens/scene.js";
import { html, render } from "./lib/html.js";
import { title } from "./lib/format.js";
import "./lib/theme.js";
import { agentsOf, clientEvents } from "./state/chorus_log.js";

const run = JSON.parse(document.getElementById("enact-run")?.textContent ?? "{}");
const main = /** @type {HTMLElement} */ (document.getElementById("main"));

function screen() {
  switch (run.production) {
    case "scene":
      return html`<enact-scene .log=${run.log} .sounds=${run.sounds} .tension=${run.metadata?.tension ?? []} .finished=${true}></enact-scene>`;
    case "chorus":
      return html`<enact-chorus .asked=${run.log[0]?.body?.setup?.message ?? ""} .agents=${agentsOf(run.log)} .events=${clientEvents(run.log)} .sounds=${run.sounds}></enact-chorus>`;
    default:
      return html`<h1>${title(run.name)}</h1><pre class="card plain">${run.transcript}</pre>`;
  }
}

/** What is missing in this file, for those who listen. */
function missing() {
  if (run.soundLeftOut) {
    return "The sound of this run is larger than 50 MB, and was left out.";
  }
  const lines = run.linesWithoutSound ?? 0;
  if (lines === 0) {
    return null;
  }
  return `${lines === 1 ? "One line of this run has" : `${lines} lines of this run have`} no sound: there was no voice, or no time to speak more.`;
}

const note = missing();
render(html`${note ? html`<p class="hint">${note}</p>` : null}${screen()}`, main);
