// A chorus: a message to six slots, and a card for each of them with its three turns.

import { saveUrl } from "../components/export_menu.js";
import { icon } from "../components/icon.js";
import { slotCard } from "../components/slot_card.js";
import { connectionNote, failure, loading } from "../components/states.js";
import { ApiError, address, get, objectUrl, post } from "../lib/api.js";
import { html, repeat } from "../lib/html.js";
import { place } from "../lib/router.js";
import { signal } from "../lib/signal.js";
import { follow } from "../lib/stream.js";
import { View } from "../lib/view.js";
import { TURNS, apply, audioOf, emptyChorus, nextAudio } from "../state/chorus.js";

/** @typedef {import("../state/chorus.js").Seat} Seat */

const SLOTS = 6;
/** A kiosk whose visitor has gone begins anew after this long. */
const KIOSK_IDLE_MS = 90_000;
const INVITATION = "Ask them anything. Each answers, each comments on one other, and those who were commented on reply. All of it is spoken.";
const TURN_NAMES = ["", "responses", "comments", "replies"];

class ChorusScreen extends View {
  /** A run that is shown again; without one, messages can be sent. */
  run = "";
  /** What its message was. */
  asked = "";
  /** What there was to hear, where there is no server: addresses by path. @type {Record<string, string> | null} */
  sounds = null;
  /** Events as they were sent, where there is no server. @type {{ event: string, data: any }[] | null} */
  events = null;
  /** @type {any[]} */
  agents = [];
  #chorus = emptyChorus();
  #changed = signal(0);
  #seats = signal(/** @type {Seat[] | null} */ (null));
  #connection = signal(/** @type {import("../lib/stream.js").Connection} */ ("ended"));
  #error = signal(/** @type {Error | null} */ (null));
  #message = signal("");
  #expanded = signal(/** @type {Record<number, number | null>} */ ({}));
  #speaking = signal(/** @type {string | null} */ (null));
  #autoplay = signal(false);
  #played = new Set();
  #audio = new Audio();
  /** @type {() => void} */
  #stop = () => {};
  #idle = 0;

  get #kiosk() {
    return place.peek().query.has("kiosk");
  }

  connected() {
    this.#message.value = this.asked;
    this.#audio.addEventListener("ended", () => this.#heard());
    this.#audio.addEventListener("error", () => this.#speaking.peek() && this.#heard());
    this.cleanup(() => {
      this.#stop();
      this.#audio.pause();
      clearTimeout(this.#idle);
    });
    this.#begin();
    if (!this.#kiosk) return;
    for (const kind of ["pointerdown", "keydown"]) this.listen(document, kind, () => this.#stayAwake());
    this.#autoplay.value = true;
  }

  async #begin() {
    if (this.events) {
      for (const { event, data } of this.events) apply(this.#chorus, event, data);
      this.#seats.value = seatsOf(this.#chorus, this.agents);
      return this.#bump();
    }
    try {
      // A page that was loaded anew in a kiosk must not wait for a conversation that nobody follows any more.
      if (this.#kiosk) await post("/v1/reset", {});
      const { agents } = await get("/v1/agents");
      if (this.run) {
        this.#follow(`/v1/chat/${this.run}/events`, undefined, agents);
      } else {
        this.#seats.value = Array.from({ length: SLOTS }, (_, index) => seat(index + 1, agents[index % agents.length]));
      }
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  /** @param {string} path @param {unknown} body @param {any[]} [agents] */
  #follow(path, body, agents) {
    this.#stop();
    this.#chorus = emptyChorus();
    this.#played.clear();
    this.#stop = follow(path, {
      body,
      resumePath: () => (this.#chorus.sessionId ? `/v1/chat/${this.#chorus.sessionId}/events` : null),
      isLast: ({ event }) => event === "done",
      onEvents: (events) => {
        for (const { event, data } of events) apply(this.#chorus, event, data);
        if (agents) this.#seats.value = seatsOf(this.#chorus, agents);
        this.#bump();
        this.#playOn();
      },
      onConnection: (connection, error) => {
        this.#connection.value = connection;
        if (connection === "ended") this.#error.value = error ?? null;
        if (error instanceof ApiError && error.code === "CONVERSATION_BUSY") this.#reset();
      },
    });
  }

  #bump() {
    this.#changed.value = this.#changed.peek() + 1;
  }

  /** @param {SubmitEvent} event */
  #send(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const message = String(new FormData(form).get("message")).trim();
    if (!message) return;
    this.#message.value = message;
    this.#expanded.value = {};
    this.#error.value = null;
    this.#silence();
    this.#follow("/v1/chat", { message, slots: (this.#seats.peek() ?? []).map(({ slotId, agentId }) => ({ slotId, agentId })) });
    form.reset();
    this.#stayAwake();
  }

  async #reset() {
    this.#stop();
    this.#silence();
    await post("/v1/reset", {}).catch((error) => (this.#error.value = error));
    this.#chorus = emptyChorus();
    this.#message.value = "";
    this.#expanded.value = {};
    this.#connection.value = "ended";
    this.#bump();
  }

  #stayAwake() {
    if (!this.#kiosk) return;
    clearTimeout(this.#idle);
    this.#idle = /** @type {any} */ (setTimeout(() => this.#chorus.sessionId && this.#reset(), KIOSK_IDLE_MS));
  }

  /** One turn at a time is shown in full, for each slot. @param {number} slot @param {number} turn */
  #expand(slot, turn) {
    const expanded = this.#expanded.peek();
    this.#expanded.value = { ...expanded, [slot]: expanded[slot] === turn ? null : turn };
  }

  // ---- hearing

  /** Where a sound is: in this file, or on the server. @param {string} path */
  async #soundUrl(path) {
    return this.sounds ? (this.sounds[path] ?? "") : objectUrl(address("/v1/audio/{path}", { path }));
  }

  /** @param {string} path */
  async #save(path) {
    try {
      saveUrl(await this.#soundUrl(path), path.split("/").at(-1) ?? "turn.wav");
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  /** @param {string} path */
  #playAlone(path) {
    this.#silence();
    this.#autoplay.value = false;
    this.#play(path);
  }

  /** @param {string} path */
  async #play(path) {
    this.#played.add(path);
    this.#speaking.value = path;
    try {
      this.#audio.src = await this.#soundUrl(path);
      await this.#audio.play();
    } catch (error) {
      // Browsers let a page speak only after its user has touched it.
      this.#speaking.value = null;
      if (/** @type {Error} */ (error).name === "NotAllowedError") this.#autoplay.value = false;
      else this.#heard();
    }
  }

  #heard() {
    const was = this.#audio.src;
    if (was.startsWith("blob:")) URL.revokeObjectURL(was);
    this.#speaking.value = null;
    this.#playOn();
  }

  #playOn() {
    if (!this.#autoplay.peek() || this.#speaking.peek()) return;
    const next = nextAudio(this.#chorus, this.#played);
    if (next?.audioPath) this.#play(next.audioPath);
  }

  #silence() {
    this.#audio.pause();
    this.#speaking.value = null;
  }

  /** Plays one turn, in the order in which it was said. @param {number} turn */
  #playTurn(turn) {
    this.#silence();
    const wanted = new Set(audioOf(this.#chorus, turn).map((message) => message.audioPath));
    for (const message of this.#chorus.messages.values()) {
      if (!message.audioPath) continue;
      if (wanted.has(message.audioPath)) this.#played.delete(message.audioPath);
      else if (message.turnIndex <= turn || this.#chorus.done) this.#played.add(message.audioPath);
    }
    this.#autoplay.value = true;
    this.#playOn();
  }

  view() {
    this.#changed.value;
    const chorus = this.#chorus;
    const seats = this.#seats.value;
    if (!seats) return this.#error.value ? failure(this.#error.value, () => this.#begin()) : loading("Taking seats");
    const busy = this.#connection.value !== "ended";
    return html`
      <div class=${`chorus${this.#kiosk ? " in-kiosk" : ""}`}>
        ${this.run || this.events ? html`<h1 class="visually-hidden">A chorus</h1>` : this.#form(busy)}
        <p class="problem" role="alert">${this.#error.value?.message}</p>
        ${chorus.sessionId || this.run ? this.#bar(chorus, busy) : html`<p class="chorus-bar chorus-invitation">${INVITATION}</p>`}
        <div class="slots">
          ${repeat(seats, (one) => one.slotId, (one) => slotCard(one, chorus, this.#expanded.value[one.slotId] ?? null, {
            speaking: this.#speaking.value,
            expand: (turn) => this.#expand(one.slotId, turn),
            play: (path) => this.#playAlone(path),
            save: (path) => this.#save(path),
          }), {})}
        </div>
        ${connectionNote(this.#connection.value)}
      </div>`;
  }

  /** @param {boolean} busy */
  #form(busy) {
    return html`
      <form class="ask" @submit=${(/** @type {SubmitEvent} */ event) => this.#send(event)}>
        <label><span class="visually-hidden">Your message</span><input name="message" maxlength="2000" required autocomplete="off" placeholder="What does rain sound like?" /></label>
        <button class="button primary" ?disabled=${busy}>${icon("send")} Ask</button>
        ${this.#chorus.sessionId ? html`<button type="button" class="button" @click=${() => this.#reset()}>Begin anew</button>` : null}
      </form>`;
  }

  /** @param {import("../state/chorus.js").Chorus} chorus @param {boolean} busy */
  #bar(chorus, busy) {
    return html`
      <div class="spread chorus-bar">
        <p class="chorus-message">${this.#message.value ? html`“${this.#message.value}”` : null}</p>
        <div class="row" role="group" aria-label="Listen">
          <span class="hint" role="status">${howItStands(chorus, busy)}</span>
          ${TURNS.map((turn) => html`<button type="button" class="button" ?disabled=${!audioOf(chorus, turn).length} @click=${() => this.#playTurn(turn)}>${icon("sound")} T${turn}</button>`)}
          ${this.#speaking.value ? html`<button type="button" class="button" @click=${() => {
            this.#autoplay.value = false;
            this.#silence();
          }}>${icon("stop")} Silence</button>` : null}
        </div>
      </div>`;
  }
}

/** @param {import("../state/chorus.js").Chorus} chorus @param {boolean} busy */
function howItStands({ turn, done }, busy) {
  if (busy && turn) return `Turn ${turn}: ${TURN_NAMES[turn]}`;
  if (!done) return "";
  return done.reason ? `It ended: ${done.reason.replaceAll("_", " ")}` : "All is said";
}

/** @param {number} slotId @param {any} agent @returns {Seat} */
const seat = (slotId, agent) => ({ slotId, agentId: agent.id, name: agent.name });

/** The seats of a chorus that has begun. @param {import("../state/chorus.js").Chorus} chorus @param {any[]} agents */
function seatsOf(chorus, agents) {
  /** @type {Map<number, Seat>} */
  const seats = new Map();
  for (const message of chorus.messages.values()) {
    const { agentId } = message;
    const agent = agents.find(({ id }) => id === agentId) ?? { id: agentId, name: agentId };
    seats.set(message.slotId, seat(message.slotId, agent));
  }
  return [...seats.values()].sort((one, other) => one.slotId - other.slotId);
}

customElements.define("enact-chorus", ChorusScreen);
