// A field: its map as it moves, the time of it, and whoever one looks at.

import { exportMenu } from "../components/export_menu.js";
import { FieldPainter } from "../components/field_map.js";
import { icon } from "../components/icon.js";
import { connectionNote, failure, loading } from "../components/states.js";
import { address, get, post } from "../lib/api.js";
import { words } from "../lib/format.js";
import { html, repeat } from "../lib/html.js";
import { signal } from "../lib/signal.js";
import { follow } from "../lib/stream.js";
import { View } from "../lib/view.js";
import { apply, concerning, emptyField, fieldClock, nearest, standing } from "../state/field.js";

/** How often what stands beside the map is drawn. */
const PANELS_MS = 300;
/** How often somebody who is looked at is asked about again. */
const LOOK_MS = 2000;
const SPEEDS = [1, 2, 5, 10, 20, 60, 0];
/** How many people are listed; a search finds the others. */
const MOST_LISTED = 40;
const STEP_TICKS = 10;

class FieldScreen extends View {
  run = "";
  #field = emptyField();
  #loaded = signal(false);
  /** Rises some times a second: what stands beside the map is drawn then. */
  #tick = signal(0);
  #connection = signal(/** @type {import("../lib/stream.js").Connection} */ ("connecting"));
  #error = signal(/** @type {Error | null} */ (null));
  #problem = signal("");
  #selected = signal(/** @type {number | null} */ (null));
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

  connected() {
    this.#load();
    this.cleanup(() => this.#stop());
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

  /** How it stands, and from there on what changes. */
  async #load() {
    this.#stop();
    const turn = ++this.#turn;
    const isOver = () => turn !== this.#turn || !this.isConnected;
    try {
      const told = /** @type {any} */ (await get("/v1/fields/{id}", { id: this.run }));
      if (isOver()) return;
      this.#field = standing(told, performance.now());
      this.#replaying.value = false;
      this.#loaded.value = true;
      this.#error.value = null;
      this.#dirty = true;
      if (told.ended) this.#connection.value = "ended";
      else this.#follow(address("/v1/fields/{id}/events", { id: this.run }), told.seq);
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

  /** @param {string} path @param {number} [after] */
  #follow(path, after) {
    this.#stop = follow(path, {
      after,
      isLast: ({ event }) => event === "done",
      onEvents: (events) => {
        const now = performance.now();
        for (const { event, data } of events) {
          if (event === "snapshot") this.#field = standing(data, now);
          else apply(this.#field, event, data, now);
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
    this.#dirty = this.#painter.draw(this.#field, this.#camera ?? this.#painter.whole(this.#field), this.#selected.peek(), still ? now + 1e6 : now) && !still;
  }

  /** @param {MouseEvent} event */
  #pick(event) {
    const painter = this.#painter;
    if (!painter) return;
    const camera = this.#camera ?? painter.whole(this.#field);
    const box = painter.canvas.getBoundingClientRect();
    const found = nearest(this.#field, (event.clientX - box.left - camera.left) / camera.cell - 0.5, (event.clientY - box.top - camera.top) / camera.cell - 0.5, performance.now());
    this.#select(found?.id ?? null);
  }

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
    if (id === null || this.#replaying.peek() || document.visibilityState === "hidden") return;
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
    const act = {
      " ": () => this.#command(this.#field.paused ? { command: "resume" } : { command: "pause" }),
      ".": () => this.#command({ command: "step", ticks: STEP_TICKS }),
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

  /** @param {import("../lib/api.js").Body<"/v1/runs/{id}/commands", "post">} command */
  async #command(command) {
    if (this.#field.ended || this.#replaying.peek()) return;
    try {
      this.#problem.value = "";
      await post("/v1/runs/{id}/commands", command, { id: this.run });
    } catch (error) {
      this.#problem.value = /** @type {Error} */ (error).message;
    }
  }

  view() {
    this.#tick.value;
    const field = this.#field;
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    if (!this.#loaded.value) return loading("Opening the field");
    return html`
      <div class="field">
        <div class="field-head spread">
          <div><h1>${field.title}</h1>${field.setting ? html`<p class="hint">${field.setting}</p>` : null}</div>
          <div class="row">${this.#status()}${exportMenu(this.run, field.title, (error) => (this.#problem.value = error.message))}</div>
        </div>
        <p class="problem" role="alert">${this.#problem.value}</p>
        <div class="field-stage">
          <canvas class="field-map" tabindex="0" role="img" aria-label=${this.#described()} @click=${(/** @type {MouseEvent} */ event) => this.#pick(event)}
            @wheel=${(/** @type {WheelEvent} */ event) => this.#wheel(event)} @pointermove=${(/** @type {PointerEvent} */ event) => event.buttons === 1 && this.#pan(event.movementX, event.movementY)}></canvas>
          <div class="field-bar">
            ${this.#time(field)}
            <div class="scrubber field-zoom" role="group" aria-label="Size of the map">
              <button type="button" class="icon-button" aria-label="Further away" @click=${() => this.#zoom(1 / 1.4)}>${icon("minus")}</button>
              <button type="button" class="icon-button" aria-label="The whole map" @click=${() => this.#zoom(0)}>${icon("whole")}</button>
              <button type="button" class="icon-button" aria-label="Nearer" @click=${() => this.#zoom(1.4)}>${icon("plus")}</button>
            </div>
          </div>
        </div>
        <aside class="beside" aria-label="About this field">
          ${this.#someone(field)}
          ${this.#people(field)}
        </aside>
        ${this.#happenings(field)}
        ${connectionNote(this.#connection.value)}
      </div>`;
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && !this.#camera) return;
    event.preventDefault();
    this.#zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, { x: event.offsetX, y: event.offsetY });
  }

  /** The map for those who do not see it. */
  #described() {
    const { entities, interactions } = this.#field;
    const people = [...entities.values()].filter(({ person }) => person).length;
    return `Map: ${people} people, ${entities.size - people} things, ${interactions.size} doing something. The list of people has them one by one.`;
  }

  #status() {
    const { ended, paused } = this.#field;
    if (this.#replaying.value) return html`<span class="tag warn">Replay</span>`;
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
          : html`<button type="button" class="button" @click=${() => this.#replay(4)}>${icon("play")} Play it again</button>`}</div>`;
    }
    return html`
      <div class="scrubber" role="group" aria-label="Time">
        <button type="button" class="icon-button strong" aria-label=${field.paused ? "Go on" : "Pause"} @click=${() => this.#command({ command: field.paused ? "resume" : "pause" })}>${icon(field.paused ? "play" : "pause")}</button>
        <button type="button" class="icon-button" aria-label="One second more" title="One second more, then pause" @click=${() => this.#command({ command: "step", ticks: STEP_TICKS })}>${icon("forward")}</button>
        <label class="speed"><span class="visually-hidden">Speed</span><select @change=${(/** @type {any} */ event) => this.#command({ command: "speed", factor: Number(event.target.value) })}>
          ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === field.speed}>${speed ? `${speed}×` : "most"}</option>`)}</select></label>
        <progress max=${field.lastTick || 1} .value=${field.tick} aria-label="How much of it has passed"></progress>
        ${clock}
        <button type="button" class="icon-button" aria-label="Stop" @click=${() => this.#command({ command: "cancel" })}>${icon("stop")}</button>
      </div>`;
  }

  /** Whoever is looked at. @param {import("../state/field.js").Field} field */
  #someone(field) {
    const id = this.#selected.value;
    const entity = id === null ? undefined : field.entities.get(id);
    if (id === null || !entity) return html`<section class="panel"><p class="hint">Choose somebody on the map or in the list: state, needs, memory, and what they do.</p></section>`;
    const known = this.#known.value;
    const memory = known?.memory;
    const interaction = [...field.interactions.values()].find(({ members }) => members.includes(id));
    const name = (/** @type {number} */ other) => field.entities.get(other)?.name ?? "somebody";
    return html`
      <section class="panel someone" data-hue=${entity.hue} aria-labelledby="someone-title">
        <div class="spread"><h2 id="someone-title" class="someone-name">${entity.name}</h2><button type="button" class="icon-button" aria-label="Look at nobody" @click=${() => this.#select(null)}>${icon("close")}</button></div>
        <dl class="facts">
          <div><dt>${entity.person ? "State" : "Thing"}</dt><dd>${entity.person ? words(entity.state.toLowerCase()) : `${known?.left ?? 100} % left`}</dd></div>
          <div><dt>Where</dt><dd>${entity.x}, ${entity.y}</dd></div>
          ${interaction ? html`<div><dt>${words(interaction.kind)}</dt><dd>${[...interaction.members.filter((other) => other !== id), ...(interaction.item === null ? [] : [interaction.item])].map(name).join(", ") || "alone"}</dd></div>` : null}
          ${memory?.plan ? html`<div><dt>Wants to</dt><dd>${memory.plan.kind}${memory.plan.target ? `: ${memory.plan.target}` : ""}</dd></div>` : null}
          ${known?.offers?.length ? html`<div><dt>Offers</dt><dd>${known.offers.join(", ")}</dd></div>` : null}
        </dl>
        ${Object.keys(entity.needs).length ? html`<ul class="bars" aria-label="Needs">${Object.entries(entity.needs).map(([need, left]) => html`<li><span class="bar-name">${words(need)}</span><meter class="bar-meter" min="0" max="100" .value=${left} aria-hidden="true"></meter><span class="bar-label">${left} of 100</span></li>`)}</ul>` : null}
        ${memory ? html`<h3>Memory</h3><dl class="facts">
          <div><dt>Has seen</dt><dd>${memory.seen.length ? [...new Set(memory.seen.map((/** @type {any} */ one) => one.name))].join(", ") : "nothing of use"}</dd></div>
          ${memory.avoids.length ? html`<div><dt>Could not have</dt><dd>${memory.avoids.join(", ")}</dd></div>` : null}
          ${memory.refusals ? html`<div><dt>Refused in a row</dt><dd>${memory.refusals}</dd></div>` : null}</dl>` : null}
        <ol class="happenings">${repeat(concerning(field, id).slice(0, 8), (one) => one.key, happening)}</ol>
      </section>`;
  }

  /** @param {import("../state/field.js").Field} field */
  #people(field) {
    const search = this.#search.value.trim().toLowerCase();
    const people = [...field.entities.values()].filter(({ person }) => person);
    const found = people.filter(({ name, state }) => !search || name.toLowerCase().includes(search) || state.toLowerCase().includes(search)).slice(0, MOST_LISTED);
    return html`
      <section class="panel" aria-labelledby="people-title">
        <h2 id="people-title">People<span class="count">${people.length}</span></h2>
        ${people.length > 12 ? html`<label><span class="visually-hidden">Find somebody</span><input type="search" placeholder="Find somebody" .value=${this.#search.value} @input=${(/** @type {any} */ event) => (this.#search.value = event.target.value)} /></label>` : null}
        <ul class="people">${found.map((one) => html`<li><button type="button" class="person" data-hue=${one.hue} aria-pressed=${one.id === this.#selected.value ? "true" : "false"} @click=${() => this.#select(one.id)}><span class="someone-name">${one.name}</span><span class="hint">${words(one.state.toLowerCase())}</span></button></li>`)}</ul>
      </section>`;
  }

  /** @param {import("../state/field.js").Field} field */
  #happenings(field) {
    return html`
      <section class="panel field-happenings" aria-labelledby="happenings-title">
        <h2 id="happenings-title">What happens</h2>
        ${field.ended ? null : html`<form class="steer-form" @submit=${(/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const form = /** @type {HTMLFormElement} */ (event.target);
          this.#command({ command: "world_event", text: String(new FormData(form).get("text")) }).then(() => this.#problem.peek() || form.reset());
        }}><label><span class="visually-hidden">World event</span><input name="text" required maxlength="500" autocomplete="off" placeholder="The lamp goes out." /></label><button class="button">${icon("world")} Let it happen</button></form>`}
        <ol class="happenings" tabindex="0" aria-labelledby="happenings-title">${field.happenings.length ? repeat(field.happenings.slice(-60).reverse(), (one) => one.key, happening) : html`<li class="hint">Nothing since you look.</li>`}</ol>
      </section>`;
  }
}

/** @param {import("../state/field.js").Happening} one */
const happening = ({ kind, tick, who, text }) => html`<li class=${`happening ${kind}`}><span class="when">${fieldClock(tick)}</span><span>${who ? html`<strong>${who}</strong> ` : null}${kind === "line" ? html`<q>${text}</q>` : text}</span></li>`;

customElements.define("enact-field", FieldScreen);
