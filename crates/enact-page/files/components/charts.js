// Plots: small, in SVG, with a table's words for those who cannot see them.

import { html, svg } from "../lib/html.js";

const WIDTH = 320;
const HEIGHT = 84;
/** More points than this cannot be told apart. */
const MOST_POINTS = 160;

/**
 * A line over beats.
 * @param {{ points: { x: number, y: number }[], name: string, format: (value: number) => string, top?: number }} options
 */
export function lineChart({ points, name, format, top }) {
  const every = Math.ceil(points.length / MOST_POINTS);
  points = points.filter((_, index) => index % every === 0 || index === points.length - 1);
  const highest = Math.max(top ?? 0, ...points.map(({ y }) => y), 1e-9);
  const last = Math.max(1, points.length - 1);
  const place = (/** @type {number} */ index, /** @type {number} */ y) => `${((index / last) * WIDTH).toFixed(1)},${(HEIGHT - 4 - (y / highest) * (HEIGHT - 18)).toFixed(1)}`;
  const path = points.map(({ y }, index) => place(index, y)).join(" ");
  const now = points.at(-1);
  const told = `${name}: ${now ? format(now.y) : "nothing yet"}, at most ${format(Math.max(0, ...points.map(({ y }) => y)))}`;
  return html`
    <figure class="plot">
      <figcaption><span>${name}</span><strong>${now ? format(now.y) : "–"}</strong></figcaption>
      <svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${told}>
        <path class="axis" d=${`M0 ${HEIGHT - 4}H${WIDTH}`} />
        ${points.length === 1 ? svg`<circle class="point" cx="4" cy=${place(0, points[0].y).split(",")[1]} r="3.5" />` : null}
        ${points.length > 1 ? svg`<polygon class="area" points=${`0,${HEIGHT - 4} ${path} ${WIDTH},${HEIGHT - 4}`} /><polyline class="line" points=${path} />` : null}
      </svg>
    </figure>`;
}

/**
 * Bars side by side, one for each row: as long as their share of the highest, or of `most`.
 * @param {{ rows: { name: string, value: number, label: string, hue?: number }[], name: string, most?: number }} options
 */
export function barChart({ rows, name, most = Math.max(...rows.map(({ value }) => value), 1e-9) }) {
  const bar = (/** @type {{ name: string, value: number, label: string, hue?: number }} */ row) => html`
    <li data-hue=${row.hue}><span class="bar-name">${row.name}</span>
      <meter class="bar-meter" min="0" max="1" .value=${row.value / most} aria-hidden="true"></meter><span class="bar-label">${row.label}</span></li>`;
  return html`<ul class="bars" aria-label=${name}>${rows.map(bar)}</ul>`;
}
