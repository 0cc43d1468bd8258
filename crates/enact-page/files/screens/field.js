// A field: its map as it moves, the time of it, and whoever one looks at.

import { exportMenu } from "../components/export_menu.js";
import { FieldPainter } from "../components/field_map.js";
import { happenings, people, someone } from "../components/field_panels.js";
import { icon, iconButton } from "../components/icon.js";
import { scrubber } from "../components/scrubber.js";
import { connectionNote, failure, loading } from "../components/states.js";
import { address, get, post } from "../lib/api.js";
import { words } from "../lib/format.js";
import { html } from "../lib/html.js";
import { effect, signal } from "../lib/signal.js";
import { follow } from "../lib/stream.js";
import { View } from "../lib/view.js";
import { FOLD, apply, emptyField, fieldClock, nearest, recall, standing } from "../state/field.js";
import { RunStore } from "../state/run_store.js";

/** How often what stands beside the map is drawn. */
const PANELS_MS = 300;
/** How often somebody who is looked at is asked about again. */
const LOOK_MS = 2000;
const SPEEDS = [1, 2, 5, 10, 20, 60, 0];
/** How many events before the first look are told as what happened; with many people on the map fewer, since each may be in every one. */
const PAST_EVENTS = { most: 400, entities: 40_000 };
/** How fast one that is over is played again, unless somebody says otherwise. */
const REPLAY_SPEED = 4;
const STEP_TICKS = 10;

/** Whether one event comes after another: `120.10` after `120.2`. @param {string} one @param {string} other */
function isLater(one, other) {
  const [[tick, number = 0], [otherTick, otherNumber = 0]] = [one, other].map((id) => id.split(".").map(Number));
  return tick > otherTick || (tick === otherTick && number > otherNumber);
}

class FieldScreen extends View {
  run = "";
  /** What its clients were told, where there is no server: it is replayed. @type {{ at: number, event: string, data: any }[] | null} */
  events = null;
  #store = new RunStore(FOLD);
  /** As the server has told it. */
  #told = emptyField();
  #loaded = signal(false);
  /** Rises some times a second: what stands beside the map is drawn then. */
  #tick = signal(0);
  #connection = signal(/** @type {import("../lib/stream.js").Connection} */ ("connecting"));
  #error = signal(/** @type {Error | null} */ (null));
  #problem = signal("");
  #selected = signal(/** @type {number | null} */ (null));
  /** Whose name is shown, because the pointer is there. @type {number | null} */
  #hovered = null;
  /** What the server knows of who is looked at. */
  #known = signal(/** @type {any} */ (null));
  #search = signal("");
  #replaying = signal(false);
  /** @type {() => void} */
  #stop = () => {};
  /** @type {FieldPainter | null} */
  #painter = null;
  /** Where the map is looked at from; nothing for the whole. @type {import("../components/field_map.js").Camera | null} */
  #camera = null;
  #frame = 0;
  #dirty = true;
  /** Whether something was read since the last frame. */
  #fresh = false;
  #panelsAt = 0;
  /** Rises whenever something else is to be shown: what was asked for before is then of no use. */
  #turn = 0;

  get #field() {
    return this.events ? this.#store.state : this.#told;
  }

  connected() {
    if (this.events) this.#open(this.events);
    else this.#load();
    this.cleanup(() => this.#stop());
    this.cleanup(() => this.#store.stop());
    this.cleanup(() => cancelAnimationFrame(this.#frame));
    const looks = setInterval(() => this.#field.ended || this.#field.paused || this.#look(), LOOK_MS);
    this.cleanup(() => clearInterval(looks));
    this.listen(window, "resize", () => this.#lookAgain());
    this.listen(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.#lookAgain());
    const themes = new MutationObserver(() => this.#lookAgain());
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.cleanup(() => themes.disconnect());
    this.listen(document, "keydown", (event) => this.#key(event));
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Shows one that stands in a file. @param {{ at: number, event: string, data: any }[]} events */
  #open(events) {
    this.#store.load(events.map(({ at, event, data }, seq) => ({ seq, at, kind: event, body: data })));
    this.#store.speed.value = REPLAY_SPEED;
    this.#connection.value = "ended";
    this.#loaded.value = true;
    this.cleanup(effect(() => {
      this.#store.changed.value;
      this.#dirty = this.#fresh = true;
    }));
  }

  /** How it stands, and from there on what changes. */
  async #load() {
    this.#stop();
    const turn = ++this.#turn;
    const isOver = () => turn !== this.#turn || !this.isConnected;
    try {
      const told = /** @type {any} */ (await get("/v1/fields/{id}", { id: this.run }));
      if (isOver()) return;
      this.#told = standing(told, performance.now());
      this.#replaying.value = false;
      this.#loaded.value = true;
      this.#error.value = null;
      this.#dirty = true;
      const past = Math.min(PAST_EVENTS.most, Math.ceil(PAST_EVENTS.entities / (told.entities.length || 1)));
      // Ids are ticks, and an event a tick is about what there is.
      const from = Math.max(0, parseInt(told.lastEventId) - past);
      this.#follow(address("/v1/fields/{id}/events", { id: this.run, from }), told);
    } catch (error) {
      if (!isOver()) this.#error.value = /** @type {Error} */ (error);
    }
  }

  /** From its beginning, with the pauses it had. @param {number} speed */
  #replay(speed) {
    this.#stop();
    this.#turn += 1;
    this.#replaying.value = true;
    this.#follow(address("/v1/fields/{id}/events", { id: this.run, from: 0, speed }));
  }

  /** @param {string} path @param {any} [told] how it stands: the events that this covers are the past */
  #follow(path, told) {
    const before = told ? standing(told, 0) : emptyField();
    const isPast = (/** @type {import("../lib/stream.js").StreamEvent} */ { resume }) => told && resume !== undefined && !isLater(resume, told.lastEventId);
    this.#stop = follow(path, {
      isLast: ({ event }) => event === "done",
      onEvents: (events) => {
        const now = performance.now();
        const past = events.filter(isPast);
        if (past.length) recall(this.#told, before, past);
        for (const { event, data } of events.slice(past.length)) {
          if (event === "snapshot") this.#told = standing(data, now);
          else apply(this.#told, event, data, now);
        }
        this.#dirty = this.#fresh = true;
      },
      onConnection: (connection, error) => {
        this.#connection.value = connection;
        if (connection === "ended" && error) this.#error.value = error;
        this.#bump();
      },
    });
  }

  #bump() {
    this.#tick.value = this.#tick.peek() + 1;
  }

  #lookAgain() {
    this.#painter?.look();
    this.#dirty = true;
  }

  /** One frame: nothing, where nothing has changed since the last. */
  #draw() {
    this.#frame = requestAnimationFrame(() => this.#draw());
    const now = performance.now();
    // Not in a frame that has much to do already, unless there is no other.
    if (now - this.#panelsAt > (this.#fresh ? 2 : 1) * PANELS_MS) {
      this.#panelsAt = now;
      this.#bump();
    }
    this.#fresh = false;
    const canvas = this.querySelector("canvas");
    if (!canvas || !this.#field.map.length) return;
    if (this.#painter?.canvas !== canvas) this.#painter = new FieldPainter(canvas);
    if (!this.#dirty) return;
    this.#painter.fit(this.#field);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#dirty = this.#painter.draw(this.#field, this.#camera ?? this.#painter.whole(this.#field), { selected: this.#selected.peek(), hovered: this.#hovered }, still ? now + 1e6 : now) && !still;
  }

  /** Who is where the pointer is. @param {MouseEvent} event */
  #at(event) {
    const painter = this.#painter;
    if (!painter) return null;
    const camera = this.#camera ?? painter.whole(this.#field);
    const cells = (/** @type {number} */ pixels) => pixels / camera.cell - 0.5;
    return nearest(this.#field, cells(event.offsetX - camera.left), cells(event.offsetY - camera.top), performance.now())?.id ?? null;
  }

  /** @param {MouseEvent} event */
  #pick = (event) => this.#select(this.#at(event));

  /** @param {PointerEvent} event */
  #move = (event) => {
    if (event.buttons === 1) return this.#pan(event.movementX, event.movementY);
    const hovered = event.type === "pointerleave" ? null : this.#at(event);
    if (hovered === this.#hovered) return;
    this.#hovered = hovered;
    this.#dirty = true;
  };

  /** @param {number | null} id */
  #select(id) {
    this.#selected.value = id;
    this.#known.value = null;
    this.#dirty = true;
    this.#look();
  }

  /** Asks the server what somebody has in mind. */
  async #look() {
    const id = this.#selected.peek();
    if (id === null || this.events || this.#replaying.peek() || document.visibilityState === "hidden") return;
    const known = await get("/v1/fields/{id}/entities/{entity}", { id: this.run, entity: `entity_${id}` }).catch(() => null);
    if (this.#selected.peek() === id) this.#known.value = known;
  }

  /** Nearer or further away; 0 shows the whole map. @param {number} factor @param {{ x: number, y: number }} [about] */
  #zoom(factor, about) {
    const painter = this.#painter;
    if (!painter) return;
    const whole = painter.whole(this.#field);
    const camera = this.#camera ?? whole;
    const cell = Math.min(64, camera.cell * factor);
    const middle = about ?? { x: painter.canvas.clientWidth / 2, y: painter.canvas.clientHeight / 2 };
    if (!factor || cell <= whole.cell) this.#camera = null;
    else this.#camera = { cell, left: middle.x - ((middle.x - camera.left) / camera.cell) * cell, top: middle.y - ((middle.y - camera.top) / camera.cell) * cell };
    this.#dirty = true;
  }

  /** @param {number} x @param {number} y in pixels */
  #pan(x, y) {
    const camera = this.#camera;
    if (!camera) return;
    this.#camera = { ...camera, left: camera.left + x, top: camera.top + y };
    this.#dirty = true;
  }

  /** Space pauses, the full stop steps, arrows move the map, plus and minus zoom: unless something is being typed. @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, button, a, summary");
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const store = this.#store;
    const act = {
      " ": () => (!this.events ? this.#command({ command: this.#field.paused ? "resume" : "pause" }) : store.playing.peek() ? store.pause() : store.play()),
      ".": () => (this.events ? store.step(1) : this.#command({ command: "step", ticks: STEP_TICKS })),
      "+": () => this.#zoom(1.4),
      "-": () => this.#zoom(1 / 1.4),
      Escape: () => this.#select(null),
      ArrowLeft: () => this.#pan(60, 0),
      ArrowRight: () => this.#pan(-60, 0),
      ArrowUp: () => this.#pan(0, 60),
      ArrowDown: () => this.#pan(0, -60),
    }[event.key];
    if (!act || (event.key.startsWith("Arrow") && !this.#camera)) return;
    event.preventDefault();
    act();
  }

  /** Whether time goes on, or could. */
  get #isPlayed() {
    return !this.events && !this.#field.ended && !this.#replaying.value;
  }

  /** Says whether it was taken. @param {import("../lib/api.js").Body<"/v1/runs/{id}/commands", "post">} command */
  async #command(command) {
    if (!this.#isPlayed) return false;
    try {
      this.#problem.value = "";
      await post("/v1/runs/{id}/commands", command, { id: this.run });
      return true;
    } catch (error) {
      this.#problem.value = /** @type {Error} */ (error).message;
      return false;
    }
  }

  /** @param {boolean} on */
  #watch = (on) => this.#command(on ? { command: "watch", entity: `entity_${this.#selected.peek()}` } : { command: "watch" });

  view() {
    this.#tick.value;
    const field = this.#field;
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    if (!this.#loaded.value) return loading("Opening the field");
    return html`
      <div class="field">
        <div class="field-head spread">
          <div><h1>${field.title}</h1>${field.setting ? html`<p class="hint">${field.setting}</p>` : null}</div>
          <div class="row">${this.#status()}${this.events ? null : exportMenu(this.run, field.title, (error) => (this.#problem.value = error.message))}</div>
        </div>
        <p class="problem" role="alert">${this.#problem.value}</p>
        <div class="field-stage">
          <canvas class="field-map" tabindex="0" role="img" aria-label=${this.#described()} @click=${this.#pick} @wheel=${this.#wheel} @pointermove=${this.#move} @pointerleave=${this.#move}></canvas>
          <div class="field-bar">
            ${this.events ? scrubber(this.#store, true, null) : this.#time(field)}
            <div class="scrubber field-zoom" role="group" aria-label="Size of the map">
              ${iconButton("minus", "Further away", () => this.#zoom(1 / 1.4))}
              ${iconButton("whole", "The whole map", () => this.#zoom(0))}
              ${iconButton("plus", "Nearer", () => this.#zoom(1.4))}
            </div>
          </div>
        </div>
        <aside class="beside" aria-label="About this field">
          ${someone(field, this.#selected.value, this.#known.value, { close: () => this.#select(null), watch: field.minds && this.#isPlayed ? this.#watch : null })}
          ${people(field, this.#selected.value, this.#search.value, { select: (id) => this.#select(id), find: (search) => (this.#search.value = search) })}
        </aside>
        ${happenings(field, this.#isPlayed ? (text) => this.#command({ command: "world_event", text }) : null)}
        ${connectionNote(this.#connection.value)}
      </div>`;
  }

  /** @param {WheelEvent} event */
  #wheel = (event) => {
    if (!event.ctrlKey && !this.#camera) return;
    event.preventDefault();
    this.#zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, { x: event.offsetX, y: event.offsetY });
  };

  /** The map for those who do not see it. */
  #described() {
    const { entities, interactions } = this.#field;
    const people = [...entities.values()].filter(({ person }) => person).length;
    return `Map: ${people} people, ${entities.size - people} things, ${interactions.size} doing something. The list of people has them one by one.`;
  }

  #status() {
    const { ended, paused } = this.#field;
    if (this.#replaying.value || (this.events && !this.#store.live)) return html`<span class="tag warn">Replay</span>`;
    if (ended) return html`<span class=${`tag ${ended === "completed" ? "good" : ""}`}>${words(ended)}</span>`;
    if (paused) return html`<span class="tag">Paused</span>`;
    return html`<span class="tag live"><span class="pulse" aria-hidden="true"></span>Playing</span>`;
  }

  /** @param {import("../state/field.js").Field} field */
  #time(field) {
    const over = field.ended !== null || this.#replaying.value;
    const clock = html`<span class="scrub-time">${fieldClock(field.tick)} of ${fieldClock(field.lastTick)}</span>`;
    if (over) {
      return html`<div class="scrubber" role="group" aria-label="Time">${clock}
        <progress max=${field.lastTick || 1} .value=${field.tick} aria-label="How much of it has passed"></progress>
        ${this.#replaying.value
          ? html`<button type="button" class="button" @click=${() => this.#load()}>${icon("end")} To its end</button>`
          : html`<button type="button" class="button" @click=${() => this.#replay(REPLAY_SPEED)}>${icon("play")} Play it again</button>`}</div>`;
    }
    return html`
      <div class="scrubber" role="group" aria-label="Time">
        ${iconButton(field.paused ? "play" : "pause", field.paused ? "Go on" : "Pause", () => this.#command({ command: field.paused ? "resume" : "pause" }), { strong: true })}
        ${iconButton("forward", "One second more", () => this.#command({ command: "step", ticks: STEP_TICKS }))}
        <label class="speed"><span class="visually-hidden">Speed</span>
          <select @change=${(/** @type {any} */ event) => this.#command({ command: "speed", factor: Number(event.target.value) })}>
            ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === field.speed}>${speed ? `${speed}×` : "most"}</option>`)}</select></label>
        <progress max=${field.lastTick || 1} .value=${field.tick} aria-label="How much of it has passed"></progress>
        ${clock}
        ${iconButton("stop", "Stop", () => this.#command({ command: "cancel" }))}
      </div>`;
  }
}

customElements.define("enact-field", FieldScreen);
