// The bars: how large the page is, and how it keeps up with a long run. `--test-reporter spec` shows the numbers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

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

/** A log of 2,000 lines and 10,000 events, and then of 200 lines more. */
function longLog() {
  const cast = ["alice", "bob"].map((name) => ({ name, display: name, model: "m", sheet: "" }));
  const events = [{ kind: "began", body: { setup: { name: "long", cast, goals: [], models: {}, config: { setting: "A long evening." }, maxBeats: 1000 } } }];
  for (let beat = 0; beat < 1100; beat++) {
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
  const events = longLog();
  const written = events.map((event) => `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
  const [log, more] = [written.slice(0, 10_001), written.slice(10_001)];
  const { page, close } = await open(browser, { origin: server.url });
  const run = "00000000-0000-7000-8000-000000000000";
  const tension = Array.from({ length: 1000 }, (_, round) => ({ round, tension: round % 100, why: ["hostile"] }));
  const summary = { runId: run, production: "scene", name: "long", startedAt: new Date().toISOString(), status: "playing", reason: null, events: log.length, metadata: { tension } };
  await page.route(`**/v1/runs/${run}`, (route) => route.fulfill({ json: summary }));
  await page.route("**/v1/runs?parent=*", (route) => route.fulfill({ json: { runs: [], next: null } }));
  // A stream that stays open: `tell` sends more of it.
  await page.addInitScript(() => {
    const real = window.fetch;
    const encoder = new TextEncoder();
    window.fetch = (path, options) => {
      if (!String(path).endsWith("/events")) return real(path, options);
      const body = new ReadableStream({ start: (stream) => void (window.tell = (text) => stream.enqueue(encoder.encode(text))) });
      return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    };
  });
  const shown = (count) => page.waitForFunction((wanted) => document.querySelectorAll(".sheet .line").length >= wanted, count, { timeout: 40_000 });
  await page.goto(`${server.url}/runs/${run}`);
  await page.waitForFunction(() => window.tell);
  const opening = await tasks(page, async () => {
    // In parts: taking the text from the test is a task, too.
    for (let at = 0; at < log.length; at += 1000) await page.evaluate((text) => window.tell(text), log.slice(at, at + 1000).join(""));
    await shown(2000);
  });
  const growing = await tasks(page, async () => {
    // As scenes are played: a few events at a time, while the end of the page is read.
    for (let at = 0; at < more.length; at += 5) await page.evaluate((text) => new Promise((done) => requestAnimationFrame(() => (window.tell(text), done(undefined)))), more.slice(at, at + 5).join(""));
    await shown(2200);
  });
  const scrolling = await tasks(page, async () => {
    for (let at = 0; at < 20; at++) await page.evaluate((to) => new Promise((done) => (scrollTo(0, to), requestAnimationFrame(done))), at * 3000);
  });
  t.diagnostic(`2,000 lines, ${log.length} events, longest tasks in ms of processor time: opening ${longest(opening)}, growing by 200 lines ${longest(growing)}, scrolling ${longest(scrolling)} (bar: 50)`);
  assert.ok(opening.length > 10 && growing.length > 100 && scrolling.length > 10);
  assert.ok(Math.max(...opening, ...growing, ...scrolling) <= 50, "the bar");
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
