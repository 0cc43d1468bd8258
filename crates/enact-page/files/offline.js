// A run in one file: shown from the log that stands in it, with the same components, without a server.

import "./screens/chorus.js";
import "./screens/episode.js";
import "./screens/field.js";
import "./screens/scene.js";
import { html, render } from "./lib/html.js";
import { title } from "./lib/format.js";
import "./lib/theme.js";

const run = JSON.parse(document.getElementById("enact-run")?.textContent ?? "{}");
const main = /** @type {HTMLElement} */ (document.getElementById("main"));

function screen() {
  const { events, metadata } = run;
  // A run whose events were too many, or of a production that has no screen.
  if (!events.length && run.production !== "scene") return html`<h1>${title(run.name)}</h1><pre class="card plain">${run.transcript}</pre>`;
  switch (run.production) {
    case "scene":
      return html`<enact-scene .log=${run.log} .sounds=${run.sounds} .tension=${metadata?.tension ?? []} .finished=${true}></enact-scene>`;
    case "chorus":
      return html`<enact-chorus .asked=${metadata.message} .agents=${agents(metadata.slots)} .events=${events} .sounds=${run.sounds}></enact-chorus>`;
    case "episode":
      return html`<enact-episode .told=${{ messages: metadata.messages, events }}></enact-episode>`;
    case "field":
      return html`<enact-field .events=${events}></enact-field>`;
  }
}

/** @param {{ agentId: string, name: string }[]} slots */
const agents = (slots) => slots.map(({ agentId, name }) => ({ id: agentId, name }));

/** What is missing in this file, for those who listen. */
function missing() {
  if (run.eventsLeftOut) {
    return "What happened in this run is larger than 50 MB: this is its transcript.";
  }
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
