// A renderer for tagged templates: html`<p class=${name} @click=${act}>${text}</p>`.
//
// A template is parsed once, whatever it is filled with. Rendering it again into the same place changes only the values
// that differ, so that focus, selection and scroll positions stay where they are. Values are text or attributes and never
// markup: nothing that a model says can become an element.
//
// In a tag:   name=${v} an attribute (null, undefined, false: none), ?name=${v} if it is true, .name=${v} a property, @name=${f} a listener.
// Elsewhere:  text, a template, a list, a `repeat`; null, undefined and booleans show nothing.

/** A template with its values. */
export class Template {
  /** @param {TemplateStringsArray} strings @param {unknown[]} values @param {boolean} inSvg */
  constructor(strings, values, inSvg) {
    this.strings = strings;
    this.values = values;
    this.inSvg = inSvg;
  }
}

class Repeat {
  /** @param {{ items: readonly any[], key: (item: any) => unknown, draw: (item: any) => unknown, salt?: unknown }} list */
  constructor(list) {
    this.list = list;
  }
}

/** @param {TemplateStringsArray} strings @param {unknown[]} values */
export const html = (strings, ...values) => new Template(strings, values, false);

/** A template of what stands inside an `<svg>`. @param {TemplateStringsArray} strings @param {unknown[]} values */
export const svg = (strings, ...values) => new Template(strings, values, true);

/**
 * A list whose items keep their elements when others come, go or move. An item that is the same object as last time is
 * not drawn again, unless `salt` differs from last time: whoever changes an item makes a new one.
 * @template T
 * @param {readonly T[]} items @param {(item: T) => unknown} key @param {(item: T) => unknown} draw @param {unknown} [salt]
 */
export const repeat = (items, key, draw, salt) => new Repeat({ items, key, draw, salt });

/** @type {WeakMap<Node, Slot>} */
const slots = new WeakMap();

/** Renders a value as the content of an element, which has nothing else in it. @param {unknown} value @param {Element} container */
export function render(value, container) {
  const slot = slots.get(container) ?? new Slot(container.appendChild(document.createComment("")));
  slots.set(container, slot);
  slot.set(value);
}

const MARK = "-enact-";

/** Where values go: into the node with this index in document order. @typedef {{ node: number, name?: string, around: string[] }} Hole */

/** @type {WeakMap<TemplateStringsArray, { content: DocumentFragment, holes: Hole[] }>} */
const parsed = new WeakMap();

/** @param {Template} template */
function parse({ strings, inSvg }) {
  const known = parsed.get(strings);
  if (known) return known;
  let [source, quote, inTag] = ["", "", false];
  /** Names of attributes with holes as they are written: the parser gives them back in lower case. @type {string[]} */
  const names = [];
  strings.forEach((text, index) => {
    let sameAttribute = quote !== "";
    for (const char of text) {
      if (quote && char === quote) [quote, sameAttribute] = ["", false];
      else if (!quote && inTag && /["']/.test(char)) quote = char;
      else if (!quote && /[<>]/.test(char)) inTag = char === "<";
    }
    source += text;
    if (index === strings.length - 1) return;
    source += inTag ? MARK : `<!--${MARK}-->`;
    if (inTag && !sameAttribute) names.push(/([^\s"'<>/=]+)=["']?[^"']*$/.exec(text)?.[1] ?? "");
  });
  const { content } = Object.assign(document.createElement("template"), { innerHTML: inSvg ? `<svg>${source}</svg>` : source });
  if (inSvg) content.replaceChildren(.../** @type {Element} */ (content.firstChild).childNodes);
  /** @type {Hole[]} */
  const holes = [];
  walk(content).forEach((at, node) => {
    if (at instanceof Comment && at.data === MARK) holes.push({ node, around: ["", ""] });
    if (!(at instanceof Element)) return;
    for (const { name, value } of [...at.attributes]) {
      if (!value.includes(MARK)) continue;
      holes.push({ node, name: names.shift(), around: value.split(MARK) });
      at.removeAttribute(name);
    }
  });
  parsed.set(strings, { content, holes });
  return { content, holes };
}

/** @param {Node} root */
function walk(root) {
  const nodes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

/** The values of one attribute, property or listener. */
class Attribute {
  /** @type {any} */
  was = undefined;

  /** @param {Element} element @param {string} name @param {string[]} around the text around its values */
  constructor(element, name, around) {
    this.element = element;
    this.kind = /^[@.?]/.test(name) ? name[0] : "";
    this.name = this.kind ? name.slice(1) : name;
    this.around = around;
  }

  /** @param {unknown[]} values */
  set(values) {
    const { element, name, kind, around } = this;
    const value = around.length === 2 && !around[0] && !around[1] ? values[0] : around.reduce((text, next, i) => `${text}${values[i - 1] ?? ""}${next}`);
    if (kind === ".") {
      // A field that its user has changed is compared with what it holds, not with what it was given.
      if (/** @type {any} */ (element)[name] !== value) /** @type {any} */ (element)[name] = value;
    } else if (value !== this.was) {
      if (kind === "?") element.toggleAttribute(name, Boolean(value));
      else if (kind === "@") {
        // It listens once; which function it calls is looked up when something happens.
        if (!this.was) element.addEventListener(name, (event) => this.was?.call(element, event));
      } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
      else element.setAttribute(name, String(value));
    }
    this.was = value;
  }
}

/** A place among nodes, between two comments. */
class Slot {
  /** The template that stands here. @type {{ strings: TemplateStringsArray, parts: { part: Slot | Attribute, takes: number }[] } | null} */
  filled = null;
  /** The list that stands here, by key. @type {Map<unknown, { slot: Slot, item: unknown }> | null} */
  rows = null;
  /** @type {unknown} */
  salt;
  start = document.createComment("");
  /** @type {unknown} */
  value;

  /** @param {Comment} end */
  constructor(end) {
    this.end = end;
    end.before(this.start);
  }

  /** @param {unknown} value */
  set(value) {
    if (value instanceof Template && value === this.value) return;
    this.value = value;
    if (value instanceof Template) this.#setTemplate(value);
    else if (value instanceof Repeat) this.#setRows(value.list);
    else if (Array.isArray(value)) {
      const rows = value.map((item, index) => ({ item, index }));
      this.#setRows({ items: rows, key: ({ index }) => index, draw: ({ item }) => item, salt: {} });
    } else this.#setText(value === null || value === undefined || typeof value === "boolean" ? "" : String(value));
  }

  clear() {
    while (this.start.nextSibling !== this.end) this.start.nextSibling?.remove();
    [this.filled, this.rows] = [null, null];
  }

  /** @param {string} text */
  #setText(text) {
    const first = this.start.nextSibling;
    if (this.filled || this.rows || !(first instanceof Text)) {
      this.clear();
      this.end.before(text);
    } else if (first.data !== text) first.data = text;
  }

  /** @param {Template} template */
  #setTemplate(template) {
    const { content, holes } = parse(template);
    const fragment = this.filled?.strings === template.strings ? null : document.importNode(content, true);
    if (fragment) {
      this.clear();
      const nodes = /** @type {any[]} */ (walk(fragment));
      const parts = holes.map(({ node, name, around }) => ({
        part: name === undefined ? new Slot(nodes[node]) : new Attribute(nodes[node], name, around),
        takes: around.length - 1,
      }));
      this.filled = { strings: template.strings, parts };
    }
    let next = 0;
    for (const { part, takes } of this.filled?.parts ?? []) {
      if (part instanceof Slot) part.set(template.values[next]);
      else part.set(template.values.slice(next, next + takes));
      next += takes;
    }
    if (fragment) this.end.before(fragment);
  }

  /** @param {Repeat["list"]} list */
  #setRows({ items, key, draw, salt }) {
    if (!this.rows) this.clear();
    const before = this.rows ?? new Map();
    this.rows = new Map();
    let place = /** @type {ChildNode} */ (this.start.nextSibling);
    for (const item of items) {
      const id = key(item);
      let row = before.get(id);
      if (!row) {
        const end = document.createComment("");
        place.before(end);
        row = { slot: new Slot(end), item: undefined };
      } else if (row.slot.start !== place) place.before(...row.slot.nodes());
      before.delete(id);
      if (row.item !== item || salt !== this.salt) row.slot.set(draw(item));
      row.item = item;
      this.rows.set(id, row);
      place = /** @type {ChildNode} */ (row.slot.end.nextSibling);
    }
    for (const { slot } of before.values()) slot.nodes().forEach((/** @type {ChildNode} */ node) => node.remove());
    this.salt = salt;
  }

  /** All nodes of it, its comments included. */
  nodes() {
    /** @type {ChildNode[]} */
    const nodes = [this.start];
    while (nodes[nodes.length - 1] !== this.end) nodes.push(/** @type {ChildNode} */ (nodes[nodes.length - 1].nextSibling));
    return nodes;
  }
}
