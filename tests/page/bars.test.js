// The bars: how large the page is, and how it keeps up with a long run. `--test-reporter spec` shows the numbers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { launch, open, traced } from "./browser.js";
import { Server } from "./server.js";

/** @type {import("playwright-core").Browser} */
let browser;
const server = new Server({ project: "the-apology" });

before(async () => {
  [browser] = await Promise.all([launch(), server.start()]);
});

after(async () => {
  await browser?.close();
  await server.stop();
});

test("the first load is small, and from one host", async (t) => {
  const { page, close } = await open(browser, { origin: server.url });
  const loaded = [];
  page.on("response", (response) => response.url().includes("/v1/") || loaded.push(response.allHeaders()));
  await page.goto(server.url, { waitUntil: "networkidle" });
  await page.getByText("Nothing has been played yet.").waitFor();
  const sizes = (await Promise.all(loaded)).map((headers) => Number(headers["content-length"] ?? 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`first load: ${sizes.length} files, ${(bytes / 1024).toFixed(1)} KB compressed (bar: 150)`);
  assert.ok(bytes > 10_000 && bytes <= 150 * 1024);
  await close();
});

/** A log of 2,000 lines and 10,000 events. */
function longLog() {
  const cast = ["alice", "bob"].map((name) => ({ name, display: name, model: "m", sheet: "" }));
  const events = [{ kind: "began", body: { setup: { name: "long", cast, goals: [], models: {}, config: { setting: "A long evening." }, maxBeats: 1000 } } }];
  for (let beat = 0; beat < 1000; beat++) {
    events.push({ kind: "beat_opened", body: { beat, to: ["alice", "bob"] } });
    for (const [index, who] of ["alice", "bob"].entries()) {
      const call = beat * 2 + index;
      const reply = { action: "speak", target: "Bob", tone: "calm", content: `Line ${call}: what was said on a long evening, in some twelve words or so.`, nonverbal: call % 5 ? undefined : "looks up" };
      events.push({ kind: "asked", body: { call, actor: who, model: "m" } }, { kind: "replied", body: { call, actor: who, reply, usage: {}, tookMs: 900 } }, { kind: "line_added", body: { by: "actor", who, reply } });
    }
    events.push({ kind: "beat_settled", body: { beat } }, { kind: "judged", body: { verdict: { confidence: beat / 1000, goals: [] } } }, { kind: "noted", body: { to: "bob", text: "x", why: "wrap_up" } });
  }
  return events.map((event, seq) => ({ seq, at: seq * 100, v: 1, ...event }));
}

test("a long run appears, grows and scrolls without a long task", { timeout: 60_000 }, async (t) => {
  const log = longLog();
  assert.ok(log.length >= 10_000 && gzipSync(JSON.stringify(log)).length > 0);
  const { page, close } = await open(browser, { origin: server.url });
  const run = "00000000-0000-7000-8000-000000000000";
  const summary = { runId: run, production: "scene", name: "long", startedAt: new Date().toISOString(), status: "playing", reason: null, events: log.length, metadata: {} };
  const stream = log.map((event) => `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  await page.route(`**/v1/runs/${run}`, (route) => route.fulfill({ json: summary }));
  await page.route("**/v1/runs?parent=*", (route) => route.fulfill({ json: { runs: [], next: null } }));
  let asked = 0;
  // The stream ends without an end, and is asked for again: that one stays open.
  await page.route(`**/v1/runs/${run}/events`, (route) => (asked++ ? undefined : route.fulfill({ contentType: "text/event-stream", body: stream })));
  const all = await tasks(page, async () => {
    await page.goto(`${server.url}/runs/${run}`);
    await page.waitForFunction(() => document.querySelectorAll(".sheet .line").length >= 2000, undefined, { timeout: 40_000 });
  });
  const scrolling = await tasks(page, async () => {
    for (let at = 0; at < 20; at++) await page.evaluate((to) => scrollTo(0, to), at * 3000);
    await page.waitForTimeout(300);
  });
  t.diagnostic(`2,000 lines, ${log.length} events, longest tasks in ms of processor time: opening ${longest(all)}, scrolling ${longest(scrolling)} (bar: 50)`);
  assert.ok(all.length > 10 && Math.max(...all, ...scrolling) <= 65, "the bar, and some for machines that do other things as well");
  await close();
});

/** @param {number[]} tasks */
const longest = (tasks) => tasks.sort((one, other) => other - one).slice(0, 3).map((ms) => ms.toFixed(0)).join(", ");

/** How long each task of the page's main thread took, in milliseconds of processor time: what else a machine does is not in it. */
async function tasks(page, work) {
  const events = await traced(browser, page, work);
  return events.filter(({ name, tdur }) => name === "RunTask" && tdur).map(({ tdur }) => tdur / 1000);
}

test("an event is on the page at once", { timeout: 30_000 }, async (t) => {
  const run = await server.scene({ models: { bob: "human" }, humanTimeoutSeconds: "none" });
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(`${server.url}/runs/${run}`);
  await page.getByRole("form", { name: "Your part: Bob" }).waitFor();
  const asks = (await server.call(`/v1/runs/${run}/asks`)).asks;
  await page.evaluate(() => {
    window.seen = new Promise((resolve) => new MutationObserver(() => document.querySelector(".sheet")?.textContent?.includes("Here I am.") && resolve(Date.now())).observe(document.body, { childList: true, subtree: true, characterData: true }));
  });
  await server.call(`/v1/runs/${run}/commands`, { command: "answer", ask: asks[0].ask, text: "Here I am." });
  const seen = await page.evaluate(() => window.seen);
  const log = (await server.call(`/v1/runs/${run}/log`)).trim().split("\n").map((line) => JSON.parse(line));
  const stored = log.find((event) => event.kind === "line_added" && event.body.reply?.content === "Here I am.");
  const ms = Number(seen) - stored.at;
  t.diagnostic(`event to pixels: ${ms} ms on loopback (bar: 100)`);
  assert.ok(ms >= 0 && ms < 500);
  await close();
});
