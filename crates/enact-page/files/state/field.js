// A field as its stream tells it: how it stands, then what changes. Nothing here knows the page.
//
// Entities are changed in place, since there may be a thousand of them in every delta. Where they are drawn lies between
// where they were drawn when the last change came and where they are: `progress` says how far between.

import { HUES, charactersIn } from "./scene.js";

/**
 * @typedef {{
 *   id: number, name: string, glyph: string, person: boolean, hue: number, state: string, interaction: string | null, needs: Record<string, number>,
 *   x: number, y: number, fromX: number, fromY: number, movedAt: number, glide: number,
 * }} Entity
 */
/** @typedef {{ bid: number, by: number, kind: number, item: number | null, invited: { who: number, accepted: boolean }[] }} Bid */
/** A bid that was just settled: drawn for a moment. @typedef {{ by: number, to: number[], accepted: boolean, at: number }} Settled */
/** @typedef {{ id: number, kind: string, item: number | null, members: number[] }} Interaction */
/** @typedef {{ line: number, tick: number, who: number, text: string, lead: number, heard: number | null, conversation: number, whispered: boolean, until: number }} Spoken */
/**
 * Something in the list of what happened; `line` is that of what was said.
 * @typedef {{
 *   key: number, line?: number, tick: number, kind: "line" | "began" | "joined" | "ended" | "refused" | "world", who: string, text: string, people: number[],
 * }} Happening
 */

/**
 * @typedef {{
 *   title: string, setting: string, map: string[], tick: number, lastTick: number, speed: number, paused: boolean, ended: string | null,
 *   minds: boolean, watched: number | null,
 *   kinds: string[], entities: Map<number, Entity>, interactions: Map<number, Interaction>, bids: Bid[], settled: Settled[],
 *   spoken: Map<number, Spoken>, happenings: Happening[], interval: number, changedAt: number, happened: number, gone: Map<number, string>,
 * }} Field
 */

/** How long a settled bid is drawn. */
export const SETTLED_MS = 900;
/** How many happenings are kept. */
const MOST_HAPPENINGS = 300;
/** How long a line stays over its speaker: for as long as it takes to read. */
const READ_TICKS = { least: 25, perLetter: 0.7 };
/** Between these a change is drawn as a movement. */
const GLIDE_MS = { least: 80, most: 700 };

/** @returns {Field} */
export const emptyField = () => ({
  title: "", setting: "", map: [], tick: 0, lastTick: 0, speed: 1, paused: false, ended: null, minds: false, watched: null, kinds: [], entities: new Map(), interactions: new Map(),
  bids: [], settled: [], spoken: new Map(), happenings: [], interval: 200, changedAt: 0, happened: 0, gone: new Map(),
});

/** `entity_7` is 7. @param {string | number} id */
const numberOf = (id) => (typeof id === "number" ? id : Number(id.slice(id.lastIndexOf("_") + 1)));

/** How it stands, whatever was known before. @param {any} told of `GET /v1/fields/{id}`, or a `snapshot` @param {number} now @returns {Field} */
export function standing(told, now) {
  const field = emptyField();
  Object.assign(field, {
    title: told.title, setting: told.setting ?? "", map: told.map, tick: told.tick, lastTick: told.lastTick, speed: told.speed,
    paused: told.paused, ended: told.ended ?? null, minds: told.minds ?? false, watched: told.watched ? numberOf(told.watched) : null, kinds: told.kinds ?? [], bids: told.bids ?? [], changedAt: now,
  });
  for (const one of told.entities) change(field, one, now);
  for (const one of told.interactions ?? []) {
    const item = [...field.entities.values()].find(({ person, name, x, y }) => !person && name === one.context?.entity_name && x === one.context.entity_position?.x && y === one.context.entity_position?.y);
    field.interactions.set(numberOf(one.id), { id: numberOf(one.id), kind: one.context?.interaction_name ?? "", item: item?.id ?? null, members: one.members.map(numberOf) });
  }
  return field;
}

/** @param {Field} field @param {any} told @param {number} now */
function change(field, told, now) {
  const id = numberOf(told.id);
  if (told.gone) return takeAway(field, id);
  const known = field.entities.get(id);
  if (!known) {
    field.entities.set(id, {
      id, name: told.name, glyph: told.glyph, person: told.type === "npc", x: told.x, y: told.y, fromX: told.x, fromY: told.y, movedAt: now, glide: 0,
      state: told.state ?? "", interaction: told.interaction ?? null, needs: told.needs ?? {}, hue: id % HUES,
    });
    return;
  }
  if (known.x !== told.x || known.y !== told.y) {
    const share = progress(known, now);
    known.fromX += (known.x - known.fromX) * share;
    known.fromY += (known.y - known.fromY) * share;
    known.movedAt = now;
    known.glide = field.interval;
    known.x = told.x;
    known.y = told.y;
  }
  known.state = told.state ?? "";
  known.interaction = told.interaction ?? null;
  if (told.needs) known.needs = told.needs;
}

/** What is gone is still spoken of. @param {Field} field @param {number} id */
function takeAway(field, id) {
  const known = field.entities.get(id);
  if (known) field.gone.set(id, known.name);
  field.entities.delete(id);
}

/** How much of its last movement an entity has behind it, from 0 to 1. @param {Entity} entity @param {number} now */
export function progress(entity, now) {
  const share = entity.glide ? (now - entity.movedAt) / entity.glide : 1;
  return share >= 1 ? 1 : share <= 0 ? 0 : share;
}

/** @param {Field} field @param {number} id */
const nameOf = (field, id) => field.entities.get(id)?.name ?? field.gone.get(id) ?? "somebody";

/** @param {Field} field @param {number[]} ids */
const namesOf = (field, ids) => ids.map((id) => nameOf(field, id)).join(", ");

/** @param {Field} field @param {Happening["kind"]} kind @param {number} tick @param {number[]} people @param {string} text @param {string} [who] */
function tell(field, kind, tick, people, text, who = namesOf(field, people)) {
  field.happenings.push({ key: field.happened++, tick, kind, who, text, people });
  if (field.happenings.length > MOST_HAPPENINGS) field.happenings.splice(0, field.happenings.length - MOST_HAPPENINGS);
}

/** @type {Record<string, (field: Field, data: any, now: number) => void>} */
const EVENTS = {
  delta(field, { tick, entities, bids }, now) {
    // Movements take as long as it takes until the next change is told.
    if (tick > field.tick) field.interval = Math.min(GLIDE_MS.most, Math.max(GLIDE_MS.least, now - field.changedAt));
    field.changedAt = now;
    field.tick = tick;
    for (const one of entities) change(field, one, now);
    if (bids) field.bids = bids;
    field.settled = field.settled.filter(({ at }) => now - at < SETTLED_MS);
    for (const [id, { until }] of field.spoken) if (until < tick) field.spoken.delete(id);
  },
  bid_settled(field, { tick, bid, by, kind, item, with: others = [], outcome }, now) {
    field.bids = field.bids.filter((open) => open.bid !== bid);
    const accepted = outcome === "accepted";
    const to = [...others, ...(item === undefined || item === null ? [] : [item])];
    field.settled.push({ by, to, accepted, at: now });
    if (!accepted) tell(field, "refused", tick, [by, ...others], `${field.kinds[kind] ?? "it"} came to nothing: ${String(outcome?.rejected?.reason ?? "refused").replaceAll("_", " ")}`);
  },
  interaction_started(field, { tick, id, kind, item, members }) {
    const name = field.kinds[kind] ?? "";
    field.interactions.set(id, { id, kind: name, item: item ?? null, members: [...members] });
    tell(field, "began", tick, members, item === undefined || item === null ? name : `${name}: ${nameOf(field, item)}`);
  },
  participant_joined(field, { tick, id, who }) {
    const interaction = field.interactions.get(id);
    if (!interaction || interaction.members.includes(who)) return;
    interaction.members.push(who);
    tell(field, "joined", tick, [who], `joins ${interaction.kind}`);
  },
  participant_left(field, { tick, id, who }) {
    const interaction = field.interactions.get(id);
    if (!interaction) return;
    interaction.members = interaction.members.filter((member) => member !== who);
    tell(field, "ended", tick, [who], `leaves ${interaction.kind}`);
  },
  interaction_ended(field, { tick, id, reason }) {
    const interaction = field.interactions.get(id);
    field.interactions.delete(id);
    field.spoken.delete(id);
    // Whoever left has been told of already.
    if (interaction?.members.length && reason !== "completed") tell(field, "ended", tick, interaction.members, `${interaction.kind} ends: ${String(reason).replaceAll("_", " ")}`);
  },
  line(field, { tick, id, line, who, reply, whispered_to: whisperedTo }) {
    const text = [reply.nonverbal ? `(${reply.nonverbal})` : "", reply.content ?? ""].filter(Boolean).join(" ");
    if (!text) return;
    const whispered = whisperedTo !== undefined && whisperedTo !== null;
    // How many characters stand before the words, of which alone a cut speaks.
    const lead = text.length - (reply.content ?? "").length;
    field.spoken.set(id, { line, tick, who, text, lead, heard: null, conversation: id, whispered, until: tick + Math.max(READ_TICKS.least, text.length * READ_TICKS.perLetter) });
    tell(field, "line", tick, field.interactions.get(id)?.members ?? [who], whispered ? `${text} (whispered to ${nameOf(field, whisperedTo)})` : text, nameOf(field, who));
    field.happenings[field.happenings.length - 1].line = line;
  },
  line_cut(field, { line, at }) {
    for (const [id, spoken] of field.spoken) {
      if (spoken.line !== line) continue;
      const heard = spoken.lead + charactersIn(spoken.text.slice(spoken.lead), at);
      field.spoken.set(id, { ...spoken, heard });
      const index = field.happenings.findLastIndex((one) => one.line === line);
      if (index < 0) continue;
      const told = field.happenings[index];
      const after = told.text.slice(spoken.text.length);
      field.happenings[index] = { ...told, key: field.happened++, text: `${spoken.text.slice(0, heard)}—${after}` };
    }
  },
  world_event(field, { tick, text }) {
    tell(field, "world", tick, [], text, "");
  },
  placed(field, { tick, id, name }) {
    tell(field, "world", tick, [id], `${name} is there now.`, "");
  },
  removed(field, { tick, id }) {
    takeAway(field, id);
    // What was gone before the field was looked at has no name any more.
    if (field.gone.has(id)) tell(field, "world", tick, [], `${nameOf(field, id)} is taken away.`, "");
  },
  watched(field, { entity }) {
    field.watched = entity ? numberOf(entity) : null;
  },
  speed(field, { speed }) {
    field.speed = speed;
  },
  paused(field) {
    field.paused = true;
  },
  continued(field) {
    field.paused = false;
  },
  done(field, { reason, tick }) {
    field.ended = reason;
    field.tick = tick;
    field.paused = false;
  },
};

/** Takes one event of the stream. What is not known changes nothing. @param {Field} field @param {string} event @param {any} data @param {number} now */
export function apply(field, event, data, now) {
  EVENTS[event]?.(field, data, now);
}

/**
 * Takes events from before a field was told: what happened, and what is still being said. How it stands is known already.
 * @param {Field} field as it stands @param {Field} past the same, for the telling of what came before @param {{ event: string, data: any }[]} events
 */
export function recall(field, past, events) {
  for (const { event, data } of events) if (event !== "snapshot" && event !== "delta") apply(past, event, data, 0);
  field.happenings = past.happenings;
  field.happened = past.happened;
  field.spoken = new Map([...past.spoken].filter(([, { until }]) => until >= field.tick));
}

/** How long a tick is, in milliseconds of the field. */
const TICK_MS = 100;

/** A field that is replayed from what its clients were told. @type {import("./run_store.js").Fold<Field>} */
export const FOLD = {
  empty: emptyField,
  apply(field, { kind, body }) {
    const now = performance.now();
    if (kind === "snapshot") Object.assign(field, standing(body, now));
    else apply(field, kind, body, now);
  },
  times(events) {
    let tick = 0;
    return events.map(({ body }) => (tick = Math.max(tick, body?.tick ?? 0)) * TICK_MS);
  },
};

/** Who stands nearest to a place of the map, within a cell or so: people before things. @param {Field} field @param {number} x @param {number} y @param {number} now */
export function nearest(field, x, y, now) {
  /** @type {Entity | null} */
  let found = null;
  let best = 1.3;
  for (const entity of field.entities.values()) {
    const share = progress(entity, now);
    const distance = Math.hypot(entity.fromX + (entity.x - entity.fromX) * share - x, entity.fromY + (entity.y - entity.fromY) * share - y) + (entity.person ? 0 : 0.35);
    if (distance < best) [found, best] = [entity, distance];
  }
  return found;
}

/** What happened to somebody, newest first. @param {Field} field @param {number} id */
export const concerning = (field, id) => field.happenings.filter(({ people, kind }) => kind === "world" || people.includes(id)).reverse();

/** A time of the field: `3:05`. @param {number} tick */
export const fieldClock = (tick) => `${Math.floor(tick / 600)}:${String(Math.floor(tick / 10) % 60).padStart(2, "0")}`;
