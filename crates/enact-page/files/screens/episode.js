// An episode: a conversation with one character, from the scene card to the result.

import { choices, progressDots, sceneCard, starters, theirs, yours } from "../components/chat.js";
import { saveUrl } from "../components/export_menu.js";
import { icon, iconButton } from "../components/icon.js";
import { resultCard, resultPicture } from "../components/result_card.js";
import { scrubber } from "../components/scrubber.js";
import { connectionNote, failure, loading } from "../components/states.js";
import { address, beGuest, get, post, request } from "../lib/api.js";
import { html, repeat } from "../lib/html.js";
import { navigate } from "../lib/router.js";
import { signal } from "../lib/signal.js";
import { EventParser, follow } from "../lib/stream.js";
import { View } from "../lib/view.js";
import { FOLD, apply, asEvents, emptyEpisode, parts, restore, restoreState, say } from "../state/episode.js";
import { RunStore } from "../state/run_store.js";

/** How long past events are waited for: they are in the log, and come at once. */
const RESTORE_MS = 3000;

class EpisodeScreen extends View {
  run = "";
  /** What was said, and what its user was told, where there is no server: it is replayed. @type {{ messages: any[], events: { at: number, event: string, data: any }[] } | null} */
  told = null;
  #replay = new RunStore(FOLD);
  #episode = emptyEpisode();
  #changed = signal(0);
  #connection = signal(/** @type {import("../lib/stream.js").Connection} */ ("ended"));
  #error = signal(/** @type {Error | null} */ (null));
  #dismissed = signal(false);
  #copied = signal(false);
  /** The link to the result, where it has to be copied by hand. */
  #link = signal("");
  /** @type {() => void} */
  #stop = () => {};

  connected() {
    if (this.told) this.#replay.load(asEvents(this.told.messages, this.told.events));
    else this.#load();
    this.cleanup(() => this.#stop());
    this.cleanup(() => this.#replay.stop());
  }

  async #load() {
    try {
      // The document has these as objects, without their keys.
      const [session, { messages }] = /** @type {any[]} */ (await Promise.all([get("/v1/sessions/{id}", { id: this.run }), get("/v1/sessions/{id}/messages", { id: this.run })]));
      this.#episode = emptyEpisode();
      this.#episode.card = session.scene_card;
      restore(this.#episode, messages);
      restoreState(this.#episode, await this.#pastEvents());
      this.#episode.ended = ["complete", "faded"].includes(session.session_state) || Boolean(this.#episode.complete);
      // A message that is still being answered is followed to its end.
      if (messages.at(-1)?.role === "user" && !this.#episode.ended) this.#resume(messages.at(-1));
      this.#bump();
      const first = firstWords.get(this.run);
      firstWords.delete(this.run);
      if (first && !messages.length) this.#say(first);
    } catch (error) {
      this.#error.value = /** @type {Error} */ (error);
    }
  }

  /** The events so far: up to as many answers as there are. */
  async #pastEvents() {
    const answers = this.#episode.messages.filter((message) => message.role === "assistant").length;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), RESTORE_MS);
    /** @type {{ event: string, data: any, id?: number }[]} */
    const events = [];
    try {
      const answer = await request(address("/v1/sessions/{id}/events", { id: this.run }), { signal: abort.signal });
      const reader = /** @type {any} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
      const parser = new EventParser();
      while (events.filter(({ event }) => event === "done").length < Math.max(1, answers)) {
        const { done, value } = await reader.read();
        if (done) break;
        events.push(...parser.push(value));
        if (!answers && events.some(({ event }) => event === "scene_card")) break;
      }
      reader.cancel().catch(() => {});
    } catch {
      // What came until then is what there is.
    } finally {
      clearTimeout(timer);
    }
    return events;
  }

  /** @param {any} message */
  #resume(message) {
    say(this.#episode, message.id, message.content);
    this.#send({ id: message.id, text: message.content });
  }

  /** @param {{ id: string, text?: string, choiceId?: string }} body */
  #send(body) {
    this.#stop();
    this.#stop = follow(address("/v1/sessions/{id}/messages", { id: this.run }), {
      body,
      resumePath: () => null,
      isLast: ({ event }) => event === "done" || event === "error",
      onEvents: (events) => {
        for (const { event, data, id } of events) apply(this.#episode, event, data, id);
        if (this.#episode.complete) this.#episode.ended = true;
        this.#bump();
        this.#toEnd();
      },
      onConnection: (connection, error) => {
        this.#connection.value = connection;
        // The same message with the same id is told again, and taken once.
        if (connection === "lost") return void this.#sendAgain(body);
        if (connection === "ended" && error) {
          this.#episode.busy = false;
          this.#episode.streaming = null;
          if (!(/** @type {any} */ (error).status)) return void this.#sendAgain(body);
          this.#episode.error = { type: "refused", message: error.message };
        }
        this.#bump();
      },
    });
  }

  /** @param {{ id: string }} body */
  #sendAgain(body) {
    this.#stop();
    this.#connection.value = "lost";
    this.#episode.streaming = "";
    const timer = setTimeout(() => this.#send(body), 700);
    this.#stop = () => clearTimeout(timer);
    this.#bump();
  }

  #bump() {
    this.#changed.value = this.#changed.peek() + 1;
  }

  #toEnd() {
    requestAnimationFrame(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
  }

  /** @param {string} text */
  #say(text) {
    if (!text.trim() || this.#episode.busy) return;
    const id = crypto.randomUUID?.() ?? String(Date.now());
    say(this.#episode, id, text.trim());
    this.#bump();
    this.#toEnd();
    this.#send({ id, text: text.trim() });
  }

  /** @param {{ id: string, label: string }} choice */
  #choose(choice) {
    const id = crypto.randomUUID?.() ?? String(Date.now());
    say(this.#episode, id, choice.label);
    this.#bump();
    this.#send({ id, choiceId: choice.id });
  }

  view() {
    this.#changed.value;
    this.#replay.changed.value;
    if (this.#error.value) return failure(this.#error.value, () => this.#load());
    const episode = this.told ? this.#replay.state : this.#episode;
    const card = episode.card;
    if (!card) return loading("Opening the episode");
    return html`
      <div class="episode">
        <header class="episode-head">
          <div><h1>${card.title}</h1><p class="hint">${about(card)}</p></div>
          ${progressDots(episode.beat)}
        </header>
        <ol class="chat" aria-label="Conversation" aria-live="polite">
          ${sceneCard(card)}
          ${card.opening_line ? theirs(card.character_name, card.opening_line) : null}
          ${repeat(episode.messages, (message) => message.id, (message) => bubble(message, card.character_name))}
          ${episode.streaming !== null ? theirs(card.character_name, streamed(episode.streaming)) : null}
        </ol>
        ${episode.error ? html`<p class="problem" role="alert">${episode.error.message}</p>` : null}
        ${episode.complete ? this.#result(episode.complete) : null}
        ${this.#suggestion(episode)}
        ${this.told ? html`${offered(episode)}<div class="dock">${scrubber(this.#replay, true, null)}</div>` : episode.complete ? null : this.#input(episode, card)}
        ${connectionNote(this.#connection.value)}
      </div>`;
  }

  /** @param {import("../state/episode.js").Episode} episode */
  #suggestion(episode) {
    const next = episode.complete?.next_suggestion ?? episode.suggestion;
    if (!next || this.#dismissed.value) return null;
    return html`<aside class="suggestion" aria-label="Suggestion"><p>Next: <strong>${next.title}</strong></p>
      ${next.slug && !this.told ? html`<a class="button" href=${`/episodes/${next.slug}`}>${icon("arrow")} Play it</a>` : null}
      ${iconButton("close", "Dismiss the suggestion", () => (this.#dismissed.value = true))}</aside>`;
  }

  /** @param {any} complete */
  #result(complete) {
    const link = complete.share_id && !this.told ? `${location.origin}/r/${complete.share_id}` : null;
    return resultCard(complete.evaluation ?? {}, {
      copied: this.#copied.value,
      link: this.#link.value,
      share: link ? async () => {
        // A page that is not served over HTTPS may not copy: the link is then shown, to be copied by hand.
        const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
        if (copied) this.#copied.value = true;
        else this.#link.value = link;
      } : undefined,
      picture: async () => {
        // The picture that those who follow the link see; where the server draws none, one is drawn here.
        const drawn = link ? await request(`/r/${complete.share_id}/card.png`).then((answer) => answer.blob()).catch(() => null) : null;
        const blob = drawn ?? (await resultPicture(complete.evaluation ?? {}));
        if (blob) saveUrl(URL.createObjectURL(blob), "result.png");
      },
    });
  }

  /** @param {import("../state/episode.js").Episode} episode @param {import("../state/episode.js").SceneCard} card */
  #input(episode, card) {
    if (episode.ended) return html`<p class="state">This session is over.</p>`;
    if (episode.choice && !episode.busy) return choices(episode.choice, (choice) => this.#choose(choice));
    return html`
      ${episode.messages.length ? null : starters(card.starter_prompts, (text) => this.#say(text))}
      <form class="say" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        this.#say(String(new FormData(form).get("text")));
        form.reset();
      }}>
        <label><span class="visually-hidden">What you say</span><input name="text" maxlength="2000" autocomplete="off" placeholder=${`Say something to ${card.character_name}`} /></label>
        <button class="button primary" ?disabled=${episode.busy}>${icon("send")} Say it</button>
      </form>`;
  }
}

/** Where it stands in its series, if that has others, and who plays. @param {import("../state/episode.js").SceneCard} card */
function about({ place_in_series: place, label }) {
  const isAlone = /of 1$/.test(place ?? "");
  return [isAlone ? "" : place, label ? `played by the ${label}` : ""].filter(Boolean).join(" · ");
}

/** What could be chosen at this place of a replay. @param {import("../state/episode.js").Episode} episode */
const offered = (episode) => (episode.choice && !episode.complete ? choices(episode.choice, null) : null);

/** @param {import("../state/episode.js").Message} message @param {string} name */
function bubble(message, name) {
  if (message.role === "user") return yours(message.content);
  const { action, dialogue } = message.dialogue === undefined ? parts(message.content) : message;
  return theirs(name, dialogue, action ?? "");
}

/** @param {string} text */
function streamed(text) {
  if (!text) return html`<span class="pulse" aria-hidden="true"></span><span class="visually-hidden">thinking</span>`;
  const { action, dialogue } = parts(text);
  return html`${action ? html`<em>${action}</em> ` : null}${dialogue}`;
}

/** What is said first in sessions that were begun with it. @type {Map<string, string>} */
const firstWords = new Map();

/** Begins a session of an episode, and goes there. @param {string} slug @param {string} [text] what is said at once */
export async function begin(slug, text) {
  const { runId, anonymousId } = /** @type {any} */ (await post("/v1/sessions", { episode: slug }));
  if (anonymousId) beGuest(anonymousId);
  if (text) firstWords.set(runId, text);
  navigate(`/runs/${runId}`);
}

customElements.define("enact-episode", EpisodeScreen);
