// The tree of branches that a run belongs to.

import { get } from "../lib/api.js";
import { ago, words } from "../lib/format.js";
import { html } from "../lib/html.js";

/** @typedef {{ runId: string, name: string, status: string, reason: string | null, startedAt: string, parent?: string, children: Branch[] }} Branch */

/** How far up and down is looked: a tree on a screen, not all there ever was. */
const MOST_LEVELS = 8;

/** @param {string} run @returns {Promise<Branch | null>} the whole tree, or nothing if the run has no branches */
export async function loadTree(run) {
  let root = await get("/v1/runs/{id}", { id: run });
  for (let level = 0; root.parent && level < MOST_LEVELS; level++) {
    const parent = await get("/v1/runs/{id}", { id: root.parent }).catch(() => null);
    if (!parent) break;
    root = parent;
  }
  const tree = await withChildren(root, 0);
  return tree.children.length ? tree : null;
}

/** @param {any} run @param {number} level @returns {Promise<Branch>} */
async function withChildren(run, level) {
  const { runs } = level < MOST_LEVELS ? await get("/v1/runs", { parent: run.runId, limit: 50 }) : { runs: [] };
  const children = await Promise.all(runs.reverse().map((/** @type {any} */ child) => withChildren(child, level + 1)));
  return { ...run, children };
}

/** @param {Branch | null} tree @param {string} current @param {string | null} beside */
export function branchTree(tree, current, beside) {
  if (!tree) return null;
  return html`
    <section class="panel" aria-labelledby="branches-title">
      <h2 id="branches-title">Branches</h2>
      <ul class="tree">${branch(tree, current, beside)}</ul>
    </section>`;
}

/** @param {Branch} one @param {string} current @param {string | null} beside @returns {unknown} */
function branch(one, current, beside) {
  const isCurrent = one.runId === current;
  const isBeside = one.runId === beside;
  return html`
    <li>
      <div class="branch">
        ${isCurrent ? html`<strong aria-current="page">This run</strong>` : html`<a href=${`/runs/${one.runId}`}>${one.parent ? "Branch" : "Beginning"}</a>`}
        <span class="hint">${ago(one.startedAt)}, ${words(one.reason ?? one.status).toLowerCase()}</span>
        ${isCurrent ? null : html`<a class="tag" href=${isBeside ? `/runs/${current}` : `/runs/${current}?beside=${one.runId}`}>${isBeside ? "alone" : "side by side"}</a>`}
      </div>
      ${one.children.length ? html`<ul>${one.children.map((child) => branch(child, current, beside))}</ul>` : null}
    </li>`;
}
