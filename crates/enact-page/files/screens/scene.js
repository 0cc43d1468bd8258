// A scene: its script page as it grows, what stands beside it, and everything one can do with it.

import "../components/transcript.js";
import { branchTree, loadTree } from "../components/branches.js";
import { exportMenu } from "../components/export_menu.js";
import { iconButton } from "../components/icon.js";
import { insight } from "../components/insight.js";
import { beatTimeline, castTable, course, goals, players } from "../components/scene_panels.js";
import { scrubber } from "../components/scrubber.js";
import { connectionNote, failure, loading } from "../components/states.js";
import { partForms, steering } from "../components/steering.js";
import { address, get, objectUrl, post } from "../lib/api.js";
import { title, words } from "../lib/format.js";
import { html } from "../lib/html.js";
import { navigate, place } from "../lib/router.js";
import { effect, signal } from "../lib/signal.js";
import { View } from "../lib/view.js";
import { listen } from "../state/listening.js";
import { apply, applyDelta, emptyScene, placeInBeat, sharedLines } from "../state/scene.js";
import { RunStore } from "../state/run_store.js";

/** @typedef {import("../state/scene.js").Line} Line */
/** @typedef {import("../components/transcript.js").Transcript} Transcript */

/** How often panels are drawn while much happens. */
const PANELS_MS = 200;
/** How often the server is asked how tense it is: it reads the whole log for that. */
const TENSION_MS = 2000;

const FOLD = { empty: emptyScene, apply, applyDelta };

class SceneScreen extends View {
  run = "";
  /** Whether it was over when it was opened: it is then read from its beginning. */
  finished = false;
  /** The log, where there is no server: a run that was exported. @type {import("../state/scene.js").LogEvent[] | null} */
  log = null;
  /** How tense it was after each beat, as far as the server has said. @type {import("../state/tension.js").TenseBeat[]} */
  tension = [];
  #tensionAsked = { settled: 0, busy: false };
  /** The sound of lines, where there is no server. @type {Record<string, string>} */
  sounds = {};
  #store = new RunStore(FOLD);
  #beside = signal(/** @type {RunStore<import("../state/scene.js").Scene> | null} */ (null));
  #tree = signal(/** @type {import("../components/branches.js").Branch | null} */ (null));
  #asks = signal(/** @type {any[]} */ ([]));
  #silences = signal(false);
  #problem = signal("");
  #askedAbout = "";
  #insight = signal(/** @type {number | null} */ (null));
  #panelTick = signal(0);
  #panelTimer = 0;
  /** @type {{ at: number, panels: unknown } | null} */
  #drawn = null;
  #listening = signal(/** @type {AbortController | null} */ (null));
  #audio = new Audio();

  connected() {
    if (this.log) this.#store.load(this.log);
    else {
      this.#store.follow(this.run);
      this.#loadTree();
      this.cleanup(effect(() => this.#follow(place.value.query.get("beside"))));
      this.cleanup(effect(() => this.#lookForAsks()));
      this.cleanup(effect(() => this.#lookForTension()));
    }
    this.cleanup(() => this.#store.stop());
    this.cleanup(() => this.#hush());
    this.cleanup(() => clearTimeout(this.#panelTimer));
    this.cleanup(() => this.#beside.peek()?.stop());
    this.listen(document, "keydown", (event) => this.#key(event));
  }

  /** A second run, to be read side by side. @param {string | null} run */
  #follow(run) {
    this.#beside.peek()?.stop();
    if (!run) return (this.#beside.value = null);
    const store = new RunStore(FOLD);
    store.follow(run);
    this.#beside.value = store;
  }

  async #loadTree() {
    this.#tree.value = await loadTree(this.run).catch(() => null);
  }

  /** What people are asked is told by the server, whenever the log says that somebody is asked. */
  async #lookForAsks() {
    this.#store.changed.value;
    const people = [...this.#store.state.thinking.values()].filter((thinking) => thinking.human).map(({ call }) => call);
    const key = people.join();
    if (key === this.#askedAbout) return;
    this.#askedAbout = key;
    if (!people.length) return (this.#asks.value = []);
    const { asks } = await get("/v1/runs/{id}/asks", { id: this.run }).catch(() => ({ asks: [] }));
    if (key === this.#askedAbout) this.#asks.value = asks;
  }

  /** The server is asked how tense it is whenever beats are over, and not more often than panels need it. */
  async #lookForTension() {
    this.#store.changed.value;
    const settled = this.#store.state.beats.findLast((beat) => beat.settledAt !== null)?.seq ?? 0;
    const asked = this.#tensionAsked;
    if (settled <= asked.settled || asked.busy) return;
    Object.assign(asked, { settled, busy: true });
    const details = await get("/v1/runs/{id}", { id: this.run }).catch(() => null);
    this.tension = /** @type {any} */ (details)?.metadata?.tension ?? this.tension;
    this.#redrawPanels();
    setTimeout(() => {
      asked.busy = false;
      if (this.isConnected) this.#lookForTension();
    }, TENSION_MS);
  }

  /** Space plays and pauses, arrows step: unless something is being typed. @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, button, a, summary");
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const act = {
      " ": () => (this.#store.playing.peek() ? this.#store.pause() : this.#store.play()),
      ArrowRight: () => this.#store.step(1),
      ArrowLeft: () => this.#store.step(-1),
      Home: () => this.#store.seek(1),
      End: () => this.#store.seek(this.#store.events.length),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Speaks from what is shown on; from the beginning, if that is everything. */
  async #listen() {
    this.#hush();
    const store = this.#store;
    store.pause();
    if (store.shown === store.events.length) store.seek(1);
    const stop = new AbortController();
    this.#listening.value = stop;
    await listen(store, (seq) => this.#load(seq, stop.signal), stop.signal);
    if (this.#listening.peek() !== stop) return;
    this.#listening.value = null;
    store.seek(store.events.length);
  }

  /** Fetches a line's sound, and gives what plays it to its end. @param {number} seq @param {AbortSignal} stop */
  async #load(seq, stop) {
    const url = this.log ? this.sounds[`line/${seq}.wav`] : await objectUrl(address("/v1/runs/{id}/recording", { id: this.run, line: seq }));
    if (!url) throw new Error("this line has no sound");
    return () =>
      new Promise((/** @type {(value: void) => void} */ resolve) => {
        const done = () => {
          URL.revokeObjectURL(url);
          resolve();
        };
        this.#audio.onended = done;
        this.#audio.onerror = done;
        stop.addEventListener("abort", done, { once: true });
        this.#audio.src = url;
        this.#audio.play().catch(done);
      });
  }

  #hush() {
    this.#listening.peek()?.abort();
    this.#listening.value = null;
    this.#audio.pause();
  }

  /** @param {Line} line */
  async #hear(line) {
    this.#hush();
    try {
      await (await this.#load(line.id, new AbortController().signal))();
    } catch (error) {
      this.#problem.value = /** @type {Error} */ (error).message;
    }
  }

  get #transcript() {
    return /** @type {Transcript | null} */ (this.querySelector("enact-transcript"));
  }

  /** @param {number} line */
  #jumpToLine = (line) => this.#transcript?.jumpTo(line);

  /** @param {number} beat */
  #jumpToBeat = (beat) => this.querySelector(`#beat-${beat}`)?.scrollIntoView({ block: "start", behavior: "smooth" });

  /** @param {Line} line */
  async #fork(line) {
    try {
      const place = placeInBeat(this.#store.state, line);
      const { runId } = await post("/v1/runs/{id}/fork", place ? { beat: line.beat, line: place } : { beat: line.beat }, { id: this.run });
      navigate(`/runs/${runId}`);
    } catch (error) {
      this.#problem.value = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Line} line */
  #tools = (line) =>
    line.kind !== "line" && line.kind !== "reaction"
      ? null
      : html`
          <div class="tools">
            ${iconButton("unknown", "Why this line", () => this.#explain(line))}
            ${this.#canBeHeard(line) ? iconButton("sound", "Hear this line", () => this.#hear(line)) : null}
            ${this.log ? null : iconButton("fork", "Branch off after this line", () => this.#fork(line))}
          </div>`;

  /** @param {Line} line */
  #canBeHeard = (line) => (this.log ? `line/${line.id}.wav` in this.sounds : Boolean(line.text));

  /** @param {Line} line */
  #explain(line) {
    this.#insight.value = line.id;
    setTimeout(() => this.querySelector(".insight")?.scrollIntoView({ block: "nearest" }), 50);
  }

  view() {
    const store = this.#store;
    const version = store.changed.value;
    const scene = store.state;
    const connection = store.connection.value;
    if (store.error.value && connection === "ended") return failure(store.error.value);
    if (!scene.began && !store.events.length) return loading("Waiting for the scene to begin");
    const beside = this.#beside.value;
    const over = store.events.at(-1)?.kind === "ended" || connection === "ended";
    return html`
      <div class=${`scene${beside ? " two" : ""}`}>
        <div class="scene-head spread">
          <div class="row"><h1>${title(scene.name)}</h1>${this.#status(over)}</div>
          <div class="row">
            <label class="check"><input type="checkbox" .checked=${this.#silences.value} @change=${(/** @type {any} */ event) => (this.#silences.value = event.target.checked)} /> Silences and notes</label>
            ${this.log ? null : exportMenu(this.run, scene.name, (error) => (this.#problem.value = error.message))}
          </div>
        </div>
        <p class="problem" role="alert">${this.#problem.value}</p>
        <div class="scene-page">
          <div class="pages">
            <article class="sheet" aria-label=${`Script of ${title(scene.name)}`}>
              ${beside ? html`<p class="branch-note">This run</p>` : null}
              <enact-transcript ?follows=${store.live && !over && !this.finished} .shown=${this.#shown(scene, version)} .tools=${this.#tools} .silences=${this.#silences}></enact-transcript>
            </article>
            ${beside ? this.#sideBySide(beside) : null}
          </div>
          <div class="dock">
            ${store.live && !over ? partForms(this.run, scene, this.#asks.value, () => {}) : null}
            ${scrubber(store, over, this.log && !Object.keys(this.sounds).length ? null : { on: this.#listening.value !== null, toggle: () => (this.#listening.peek() ? this.#hush() : this.#listen()) })}
          </div>
        </div>
        <aside class="beside" aria-label="About this scene">
          ${over || this.log ? null : steering(this.run, scene)}
          ${insight(scene, this.#insight.value, () => (this.#insight.value = null))}
          ${this.#panels(scene)}
          ${branchTree(this.#tree.value, this.run, place.value.query.get("beside"))}
        </aside>
        ${connectionNote(connection)}
      </div>`;
  }

  /** What stands beside the script is drawn some times a second, however fast events come. @param {import("../state/scene.js").Scene} scene */
  #panels(scene) {
    this.#panelTick.value;
    // The script is what people wait for: the panels come in the frame after its first.
    const wait = this.#drawn?.panels ? PANELS_MS : 1;
    this.#drawn ??= { at: performance.now(), panels: null };
    if (performance.now() - this.#drawn.at < wait) {
      clearTimeout(this.#panelTimer);
      this.#panelTimer = /** @type {any} */ (setTimeout(() => this.#redrawPanels(), wait));
      return this.#drawn.panels;
    }
    const panels = html`${goals(scene, this.#jumpToLine)}${beatTimeline(scene, this.#jumpToBeat)}${course(scene, this.tension)}${players(scene)}${castTable(scene, this.#jumpToBeat)}`;
    this.#drawn = { at: performance.now(), panels };
    return panels;
  }

  #redrawPanels() {
    this.#panelTick.value = this.#panelTick.peek() + 1;
  }

  /** @param {import("../state/scene.js").Scene} scene @param {number} version */
  #shown = (scene, version) => ({ scene, version });

  /** @param {boolean} over */
  #status(over) {
    const { state, live } = this.#store;
    if (!live) return html`<span class="tag warn">Replay</span>`;
    if (state.ended) return html`<span class=${`tag ${state.ended === "goal_achieved" || state.ended === "natural_end" ? "good" : state.ended === "failed" ? "bad" : ""}`}>${words(state.ended)}</span>`;
    if (state.paused) return html`<span class="tag">Paused</span>`;
    return over ? null : html`<span class="tag live"><span class="pulse" aria-hidden="true"></span>Playing</span>`;
  }

  /** @param {RunStore<import("../state/scene.js").Scene>} other */
  #sideBySide(other) {
    const version = other.changed.value;
    const shared = sharedLines(this.#store.state.lines, other.state.lines);
    const first = other.state.lines[shared]?.id ?? null;
    return html`<article class="sheet" aria-label="The other branch">
      <p class="branch-note">The other: ${shared ? `the same up to line ${shared}` : "different from the beginning"}</p>
      <enact-transcript .differsFrom=${first} .shown=${this.#shown(other.state, version)} .silences=${this.#silences}></enact-transcript>
    </article>`;
  }
}
customElements.define("enact-scene", SceneScreen);
