// The map of a field on a canvas: floor and walls once, everything that moves in every frame.
//
// What is drawn often is drawn once: each glyph in each colour is a small picture, and so is every bubble. A thousand
// entities are then a thousand copies a frame.

import { placeBubbles } from "../state/bubbles.js";
import { progress, SETTLED_MS } from "../state/field.js";

/** @typedef {import("../state/field.js").Field} Field */
/** @typedef {{ cell: number, left: number, top: number }} Camera */

/** Names are written beside people up to this many, and from this size of a cell on. */
const NAMED = { people: 40, cell: 13 };
const BUBBLE = { width: 190, padding: 7, lineHeight: 15, most: 3 };
/** How many bubbles are shown at once: the newest. On a small map there is room for fewer. */
const MOST_BUBBLES = 8;
const AREA_OF_A_BUBBLE = 36_000;
/** Bubbles keep clear of people where there are not more than this: among more there is no such place. */
const MOST_HEADS = 150;
/** Angles of the colours that styles give to characters. */
const ANGLES = [252, 35, 150, 320, 90, 200, 10, 285, 120, 60, 225, 345];

export class FieldPainter {
  /** Pictures by what they show. @type {Map<string, HTMLCanvasElement>} */
  #pictures = new Map();
  /** @type {Map<string, { picture: HTMLCanvasElement, width: number, height: number }>} */
  #bubblesDrawn = new Map();
  /** What each is drawn as. @type {WeakMap<import("../state/field.js").Entity, { state: string, size: number, picture: HTMLCanvasElement }>} */
  #figures = new WeakMap();
  /** The floor, at a size. @type {{ key: string, canvas: HTMLCanvasElement } | null} */
  #floor = null;
  #colours = { paper: "", desk: "", ink: "", soft: "", rule: "", accent: "", good: "", bad: "", raised: "", dark: false };
  #scale = 1;
  /** Text grows with that of the page: large screens have larger letters. */
  #letters = 1;
  #shape = "";
  /** Where each bubble stands, by its line. @type {Map<number, number>} */
  #places = new Map();

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.look();
  }

  /** Reads colours and size anew: after a change of theme or window. */
  look() {
    const style = getComputedStyle(this.canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    this.#colours = {
      paper: colour("paper"), desk: colour("desk"), ink: colour("ink"), soft: colour("soft"), rule: colour("rule"), accent: colour("accent"),
      good: colour("good"), bad: colour("bad"), raised: colour("raised"), dark: Number(colour("who-l")) > 0.6,
    };
    this.#scale = Math.min(2, devicePixelRatio || 1);
    this.#letters = (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;
    const [width, height] = [Math.round(this.canvas.clientWidth * this.#scale), Math.round(this.canvas.clientHeight * this.#scale)];
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    this.#pictures.clear();
    this.#figures = new WeakMap();
    this.#bubblesDrawn.clear();
    this.#floor = null;
  }

  /** Gives the canvas the shape of the map, as far as the screen is high enough. @param {Field} field */
  fit(field) {
    const shape = `${field.map[0]?.length ?? 1} / ${field.map.length || 1}`;
    if (this.#shape === shape) return;
    this.#shape = shape;
    this.canvas.style.aspectRatio = shape;
    this.look();
  }

  /** The largest cells with which the whole map is seen. @param {Field} field @returns {Camera} */
  whole(field) {
    const [columns, rows] = [field.map[0]?.length ?? 1, field.map.length || 1];
    const cell = Math.min(this.canvas.clientWidth / columns, this.canvas.clientHeight / rows);
    return { cell, left: (this.canvas.clientWidth - columns * cell) / 2, top: (this.canvas.clientHeight - rows * cell) / 2 };
  }

  /**
   * @param {Field} field @param {Camera} camera @param {{ selected: number | null, hovered: number | null }} looked at, and pointed at
   * @param {number} now @returns {boolean} whether the next frame will differ
   */
  draw(field, camera, { selected, hovered }, now) {
    const { context } = this;
    const size = camera.cell;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    let moves = false;
    context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#floorOf(field, size), camera.left, camera.top, (field.map[0]?.length ?? 0) * size, field.map.length * size);

    const at = (/** @type {number} */ id) => {
      const entity = field.entities.get(id);
      if (!entity) return null;
      const share = progress(entity, now);
      return [camera.left + (entity.fromX + (entity.x - entity.fromX) * share + 0.5) * size, camera.top + (entity.fromY + (entity.y - entity.fromY) * share + 0.5) * size];
    };
    this.#interactions(field, size, at);
    this.#bids(field, at);
    moves = this.#settled(field, at, now) || moves;

    const named = field.entities.size <= NAMED.people * 3 && size >= NAMED.cell;
    /** @param {import("../state/field.js").Entity} entity */
    const figure = (entity) => {
      const share = progress(entity, now);
      if (share < 1) moves = true;
      const x = camera.left + (entity.fromX + (entity.x - entity.fromX) * share) * size;
      const y = camera.top + (entity.fromY + (entity.y - entity.fromY) * share) * size;
      if (x < -size || y < -size || x > width || y > height) return;
      let known = this.#figures.get(entity);
      if (known?.state !== entity.state || known.size !== size) this.#figures.set(entity, (known = { state: entity.state, size, picture: this.#figure(entity, size) }));
      context.drawImage(known.picture, x, y, size, size);
    };
    // People stand on things, and whoever is looked at before all others.
    for (const entity of field.entities.values()) if (!entity.person) figure(entity);
    for (const entity of field.entities.values()) if (entity.person) figure(entity);
    const chosen = selected === null ? undefined : field.entities.get(selected);
    if (chosen) figure(chosen);
    if (named) for (const entity of field.entities.values()) if (entity.person) this.#name(entity, at(entity.id), size);
    const pointed = hovered === null ? undefined : field.entities.get(hovered);
    if (pointed && !(named && pointed.person)) this.#name(pointed, at(pointed.id), size);
    if (field.watched !== null) this.#ring(at(field.watched), size * 0.74, [3, 4]);
    if (selected !== null) this.#ring(at(selected), size * 0.62, []);
    this.#bubbles(field, at, size);
    return moves;
  }

  /** @param {string} key @param {number} width @param {number} height @param {(context: CanvasRenderingContext2D) => void} paint */
  #picture(key, width, height, paint) {
    const known = this.#pictures.get(key);
    if (known) return known;
    if (this.#pictures.size > 600) this.#pictures.clear();
    const canvas = this.#paint(width, height, paint);
    this.#pictures.set(key, canvas);
    return canvas;
  }

  /** @param {number} width @param {number} height @param {(context: CanvasRenderingContext2D) => void} paint */
  #paint(width, height, paint) {
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.ceil(width * this.#scale), height: Math.ceil(height * this.#scale) });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(this.#scale, this.#scale);
    paint(context);
    return canvas;
  }

  /** @param {Field} field @param {number} size */
  #floorOf(field, size) {
    const key = `${size}/${field.map.length}/${field.map[0]}`;
    if (this.#floor?.key === key) return this.#floor.canvas;
    const cell = Math.min(size, 24) * this.#scale;
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.max(1, Math.ceil((field.map[0]?.length ?? 1) * cell)), height: Math.max(1, Math.ceil(field.map.length * cell)) });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = this.#colours.paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = this.#colours.rule;
    context.globalAlpha = 0.5;
    for (let y = 0; y < field.map.length; y++) for (let x = 0; x < field.map[y].length; x++) if (field.map[y][x] !== "#") context.fillRect(x * cell + cell / 2 - 0.5, y * cell + cell / 2 - 0.5, 1, 1);
    context.globalAlpha = 1;
    context.fillStyle = this.#colours.dark ? "#57503f" : "#bdb29b";
    for (let y = 0; y < field.map.length; y++) for (let x = 0; x < field.map[y].length; x++) if (field.map[y][x] === "#") context.fillRect(Math.floor(x * cell), Math.floor(y * cell), Math.ceil(cell) + 1, Math.ceil(cell) + 1);
    this.#floor = { key, canvas };
    return canvas;
  }

  /** @param {number} hue @param {number} [alpha] */
  #who(hue, alpha = 1) {
    return `oklch(${this.#colours.dark ? 0.8 : 0.45} ${this.#colours.dark ? 0.095 : 0.115} ${ANGLES[hue % ANGLES.length]} / ${alpha})`;
  }

  /** A person is a disc in its colour, hollow while it waits; a thing is its letter. @param {import("../state/field.js").Entity} entity @param {number} size */
  #figure(entity, size) {
    const busy = entity.state === "INTERACTING";
    const waits = entity.state === "WAITING" || entity.state === "REQUESTING";
    const key = `${entity.glyph}/${entity.person ? entity.hue : "-"}/${busy}/${waits}/${size}`;
    return this.#picture(key, size, size, (context) => {
      const middle = size / 2;
      context.textAlign = "center";
      context.textBaseline = "middle";
      if (entity.person) {
        context.beginPath();
        context.arc(middle, middle, size * 0.42, 0, Math.PI * 2);
        context.fillStyle = waits ? this.#colours.paper : this.#who(entity.hue);
        context.fill();
        context.lineWidth = Math.max(1, size * 0.08);
        context.strokeStyle = busy ? this.#colours.ink : this.#who(entity.hue);
        context.stroke();
        context.fillStyle = waits ? this.#who(entity.hue) : this.#colours.dark ? "#15130f" : "#ffffff";
        context.font = `600 ${size * 0.5}px system-ui, sans-serif`;
        context.fillText(entity.name.charAt(0).toUpperCase(), middle, middle + size * 0.03);
      } else {
        context.fillStyle = this.#colours.desk;
        context.strokeStyle = this.#colours.soft;
        context.lineWidth = Math.max(0.75, size * 0.04);
        context.beginPath();
        context.roundRect(size * 0.1, size * 0.1, size * 0.8, size * 0.8, size * 0.16);
        context.fill();
        context.stroke();
        context.fillStyle = this.#colours.soft;
        context.font = `500 ${size * 0.52}px system-ui, sans-serif`;
        context.fillText(entity.glyph, middle, middle + size * 0.03);
      }
    });
  }

  /** Those who do something together are joined. @param {Field} field @param {number} size @param {(id: number) => number[] | null} at */
  #interactions(field, size, at) {
    const { context } = this;
    context.strokeStyle = this.#colours.accent;
    context.lineWidth = Math.max(1.5, size * 0.12);
    context.globalAlpha = 0.35;
    context.lineCap = "round";
    context.beginPath();
    for (const { members, item } of field.interactions.values()) {
      const centre = item === null ? null : at(item);
      for (const [index, member] of members.entries()) {
        const from = at(member);
        const to = centre ?? (index ? at(members[0]) : null);
        if (!from || !to) continue;
        context.moveTo(from[0], from[1]);
        context.lineTo(to[0], to[1]);
      }
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  /** A bid that waits for answers is a broken line to each who is asked. @param {Field} field @param {(id: number) => number[] | null} at */
  #bids(field, at) {
    const { context } = this;
    context.strokeStyle = this.#colours.soft;
    context.lineWidth = 1.5;
    context.setLineDash([4, 4]);
    context.beginPath();
    for (const { by, item, invited } of field.bids) {
      const from = at(by);
      if (!from) continue;
      for (const id of [...invited.map(({ who }) => who), ...(item === null || item === undefined ? [] : [item])]) {
        const to = at(id);
        if (!to) continue;
        context.moveTo(from[0], from[1]);
        context.lineTo(to[0], to[1]);
      }
    }
    context.stroke();
    context.setLineDash([]);
  }

  /** One that was settled is a line that fades: in the colour of what came of it. @param {Field} field @param {(id: number) => number[] | null} at @param {number} now */
  #settled(field, at, now) {
    const { context } = this;
    let fading = false;
    context.lineWidth = 2.5;
    for (const { by, to, accepted, at: since } of field.settled) {
      const left = 1 - (now - since) / SETTLED_MS;
      const from = at(by);
      if (left <= 0 || !from) continue;
      fading = true;
      context.globalAlpha = left;
      context.strokeStyle = accepted ? this.#colours.good : this.#colours.bad;
      context.beginPath();
      for (const id of to) {
        const end = at(id);
        if (!end) continue;
        // What was refused draws back to who asked.
        const reach = accepted ? 1 : left;
        context.moveTo(from[0], from[1]);
        context.lineTo(from[0] + (end[0] - from[0]) * reach, from[1] + (end[1] - from[1]) * reach);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
    return fading;
  }

  /** A name below whom it is of. @param {import("../state/field.js").Entity} entity @param {number[] | null} place @param {number} size */
  #name({ name, hue, person }, place, size) {
    if (!place) return;
    const [width, height] = [120 * this.#letters, 16 * this.#letters];
    const picture = this.#picture(`name/${name}/${person ? hue : "-"}`, width, height, (within) => {
      within.scale(this.#letters, this.#letters);
      within.font = "600 11px system-ui, sans-serif";
      within.textAlign = "center";
      within.textBaseline = "middle";
      within.lineWidth = 3;
      within.lineJoin = "round";
      within.strokeStyle = this.#colours.paper;
      within.strokeText(name, 60, 8, 118);
      within.fillStyle = person ? this.#who(hue) : this.#colours.ink;
      within.fillText(name, 60, 8, 118);
    });
    this.context.drawImage(picture, place[0] - width / 2, place[1] + size * 0.42, width, height);
  }

  /** Around whoever is looked at; broken, around whoever is watched. @param {number[] | null} place @param {number} radius @param {number[]} dash */
  #ring(place, radius, dash) {
    if (!place) return;
    const { context } = this;
    context.strokeStyle = this.#colours.accent;
    context.lineWidth = 2.5;
    context.setLineDash(dash);
    context.beginPath();
    context.arc(place[0], place[1], radius, 0, Math.PI * 2);
    context.stroke();
    context.setLineDash([]);
  }

  /** What is said stands beside who says it; what nobody heard is left out. @param {Field} field @param {(id: number) => number[] | null} at @param {number} size */
  #bubbles(field, at, size) {
    const { context } = this;
    const room = { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    const most = Math.max(1, Math.min(MOST_BUBBLES, Math.floor((room.width * room.height) / (AREA_OF_A_BUBBLE * this.#letters ** 2))));
    const wanted = [...field.spoken.values()].sort((one, other) => one.line - other.line).slice(-most).flatMap(({ line, who, text, heard, whispered }) => {
      const place = at(who);
      if (!place) return [];
      const shown = whispered ? "…" : heard === null ? text : `${text.slice(0, heard)} –`;
      const hue = field.entities.get(who)?.hue ?? 0;
      return [{ key: line, x: place[0], y: place[1], hue, ...this.#bubble(`${line}/${heard}`, shown, hue) }];
    });
    const people = field.entities.size <= MOST_HEADS ? [...field.entities.values()].filter(({ person }) => person) : [];
    const heads = wanted.length ? people.flatMap(({ id }) => [at(id) ?? []]) : [];
    if (this.#places.size > 50) this.#places.clear();
    const gap = { above: size * 0.6, below: size * 0.6 + (size >= NAMED.cell ? 12 * this.#letters : 0) };
    const corners = placeBubbles(wanted, room, gap, heads, this.#places);
    for (const { key, x, y, hue, picture, width, height } of wanted) {
      const corner = corners.get(key);
      if (!corner) continue;
      // A stroke to the edge of who says it.
      const [toX, toY] = [Math.max(corner.left + 8, Math.min(x, corner.left + width - 8)), Math.max(corner.top + 4, Math.min(y, corner.top + height - 4))];
      const share = Math.min(1, (size * 0.42) / (Math.hypot(toX - x, toY - y) || 1));
      context.strokeStyle = this.#who(hue);
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x + (toX - x) * share, y + (toY - y) * share);
      context.lineTo(toX, toY);
      context.stroke();
      context.drawImage(picture, corner.left, corner.top, width, height);
    }
  }

  /** @param {string} key @param {string} text @param {number} hue */
  #bubble(key, text, hue) {
    const known = this.#bubblesDrawn.get(key);
    if (known) return known;
    if (this.#bubblesDrawn.size > 50) this.#bubblesDrawn.clear();
    const font = "italic 400 13px Georgia, serif";
    this.context.font = font;
    const letters = this.#letters;
    const lines = wrap(this.context, text, Math.min(BUBBLE.width, (this.canvas.clientWidth / letters) * 0.55));
    const width = Math.max(...lines.map((line) => this.context.measureText(line).width)) + BUBBLE.padding * 2;
    const height = lines.length * BUBBLE.lineHeight + BUBBLE.padding * 1.4;
    const picture = this.#paint(width * letters, height * letters, (within) => {
      within.scale(letters, letters);
      within.fillStyle = this.#colours.raised;
      within.strokeStyle = this.#who(hue);
      within.lineWidth = 1.5;
      within.beginPath();
      within.roundRect(1, 1, width - 2, height - 2, 8);
      within.fill();
      within.stroke();
      within.fillStyle = this.#colours.ink;
      within.font = font;
      within.textBaseline = "top";
      for (const [index, line] of lines.entries()) within.fillText(line, BUBBLE.padding, BUBBLE.padding * 0.7 + index * BUBBLE.lineHeight + 1);
    });
    const drawn = { picture, width: width * letters, height: height * letters };
    this.#bubblesDrawn.set(key, drawn);
    return drawn;
  }
}

/** Some lines of a text, cut short at the last. @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function wrap(context, text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else if (lines.length === BUBBLE.most) {
      lines[lines.length - 1] += " …";
      break;
    } else lines.push(word);
  }
  return lines;
}
