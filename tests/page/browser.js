// Debian's Chromium under Playwright, and what every page is watched for.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The packages are installed outside of the tree: scripts/test-page says where.
const require = createRequire(join(process.env.PAGE_TOOLS ?? "", "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required",
];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/**
 * A page that fails its test on any error in it, and on any request to another host.
 * @param {import("playwright-core").Browser} browser @param {{ origin?: string, options?: object }} [settings]
 */
export async function open(browser, { origin, options = {} } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  // Playwright evaluates scripts of its own past the policy: `bypassCSP` stays off, so that the page's is in force.
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.stack ?? String(error)));
  page.on("console", (message) => {
    const lostConnection = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of (401|404|409|412|422)/.test(message.text());
    if (message.type() === "error" && !lostConnection) problems.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (origin && !/^(data|blob):/.test(url) && !url.startsWith(origin)) problems.push(`a request to ${url}`);
  });
  page.setDefaultTimeout(15_000);
  return { page, close: async () => {
    await context.close();
    assert.deepEqual(problems, []);
  } };
}

/** The trace of what a page's main thread does meanwhile. @param {import("playwright-core").Browser} browser @param {import("playwright-core").Page} page @param {() => Promise<unknown>} work */
export async function traced(browser, page, work) {
  await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "__metadata"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid}/${tid}`));
  return traceEvents.filter(({ pid, tid }) => main.has(`${pid}/${tid}`));
}

/** No serious findings. @param {import("playwright-core").Page} page @param {string} name */
export async function checkAccessibility(page, name) {
  const found = await page.evaluate(`(() => { ${axe}; return axe.run(document, { resultTypes: ["violations"] }); })()`);
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).slice(0, 3).join(" | ")}`), [], name);
}
