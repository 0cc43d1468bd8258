// Icons: drawn here, in the colour of the text around them.

import { html, svg } from "../lib/html.js";

const PATHS = {
  play: svg`<path d="M7 4.5v15l12-7.5z" fill="currentColor" stroke="none" />`,
  pause: svg`<path d="M8 5v14M16 5v14" stroke-width="3.4" />`,
  stop: svg`<rect x="6" y="6" width="12" height="12" rx="1.5" fill="currentColor" stroke="none" />`,
  back: svg`<path d="M17 6l-8 6 8 6M6 6v12" />`,
  forward: svg`<path d="M7 6l8 6-8 6M18 6v12" />`,
  end: svg`<path d="M5 6l7 6-7 6M12 6l7 6-7 6" />`,
  fork: svg`<path d="M7 4v6c0 3 10 3 10 7v3M7 10v10" /><circle cx="7" cy="4" r="1.6" />`,
  sound: svg`<path d="M5 10v4h3l5 4V6l-5 4zM16.5 9a4 4 0 010 6M19 6.5a8 8 0 010 11" />`,
  note: svg`<path d="M5 5h14v10l-5 4H5z M14 19v-4h5" />`,
  whisper: svg`<path d="M4 12c3-6 13-6 16 0-3 6-13 6-16 0z" /><path d="M9 12h6" />`,
  world: svg`<path d="M13 3L6 13h5l-1 8 8-11h-6z" />`,
  person: svg`<circle cx="12" cy="8" r="3.6" /><path d="M5 20c1-5 13-5 14 0" />`,
  check: svg`<path d="M5 12.5l4.5 4.5L19 7.5" />`,
  open: svg`<circle cx="12" cy="12" r="7" />`,
  unknown: svg`<circle cx="12" cy="12" r="8" /><path d="M10 9.8a2 2 0 114 0c0 1.6-2 1.6-2 3.2M12 16.4v.1" />`,
  search: svg`<circle cx="11" cy="11" r="6" /><path d="M15.5 15.5L20 20" />`,
  plus: svg`<path d="M12 5v14M5 12h14" />`,
  minus: svg`<path d="M5 12h14" />`,
  whole: svg`<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />`,
  pencil: svg`<path d="M4 20l1-5L16 4l4 4L9 19z" />`,
  close: svg`<path d="M6 6l12 12M18 6L6 18" />`,
  download: svg`<path d="M12 4v11M7 11l5 5 5-5M5 20h14" />`,
  sun: svg`<circle cx="12" cy="12" r="4" /><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />`,
  moon: svg`<path d="M19 14.5A8 8 0 119.5 5a6.5 6.5 0 009.5 9.5z" />`,
  arrow: svg`<path d="M5 12h14M13 6l6 6-6 6" />`,
  eye: svg`<path d="M3 12c4-7 14-7 18 0-4 7-14 7-18 0z" /><circle cx="12" cy="12" r="2.6" />`,
  send: svg`<path d="M4 12l16-8-6 16-3-7z" />`,
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export const icon = (name) => html`
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round">${PATHS[name]}</svg>`;

/**
 * A button that is an icon: its name is read out, and stands below the pointer.
 * @param {IconName} name @param {string} label @param {() => void} act @param {{ strong?: boolean, pressed?: boolean, disabled?: boolean }} [more]
 */
export const iconButton = (name, label, act, { strong, pressed, disabled } = {}) => html`
  <button type="button" class=${strong ? "icon-button strong" : "icon-button"} aria-label=${label} title=${label}
    aria-pressed=${pressed === undefined ? null : String(pressed)} ?disabled=${disabled} @click=${act}>${icon(name)}</button>`;
