// Fields in a browser: begun, watched, stopped and gone on with, looked into; and a thousand entities at once.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { checkAccessibility, launch, open, traced } from "./browser.js";
import { Server, binary } from "./server.js";

/** @type {import("playwright-core").Browser} */
let browser;
const fields = new Server({ project: "tavern" });

before(async () => {
  [browser] = await Promise.all([launch(), fields.start()]);
});

after(async () => {
  await browser?.close();
  await fields.stop();
});

const clock = (page) => page.locator(".scrub-time").textContent();
const changed = (page, before) => page.waitForFunction((text) => document.querySelector(".scrub-time")?.textContent !== text, before);

test("a field is begun, paused, stepped, looked into and ended", { timeout: 60_000 }, async () => {
  const { page, close } = await open(browser, { origin: fields.url, options: { reducedMotion: "no-preference" } });
  await page.goto(`${fields.url}/fields`);
  await page.getByRole("heading", { name: "The Gilded Goose" }).waitFor();
  await checkAccessibility(page, "fields");
  await page.getByLabel("Speed").selectOption("5");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("heading", { name: "The Gilded Goose" }).waitFor();
  await page.locator(".happening").first().waitFor();
  await page.locator(".happening.line").first().waitFor();

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.getByText("Paused", { exact: true }).waitFor();
  const before = await clock(page);
  await page.getByRole("button", { name: "One second more" }).click();
  await changed(page, before);
  await page.getByText("Paused", { exact: true }).waitFor();

  await page.getByRole("button", { name: /^Mara/ }).click();
  const someone = page.getByRole("region", { name: "Mara" });
  await someone.getByText("Memory").waitFor();
  assert.equal(await someone.getByRole("list", { name: "Needs" }).getByRole("listitem").count(), 4);
  // What the page shows is what the server says.
  const run = page.url().split("/").pop();
  const { entities } = await fields.call(`/v1/fields/${run}`);
  const mara = entities.find(({ name }) => name === "Mara");
  await someone.getByText(`${mara.x}, ${mara.y}`).waitFor();
  await checkAccessibility(page, "field");

  await page.getByRole("button", { name: "Look at nobody" }).click();
  await someone.waitFor({ state: "detached" });
  await pick(page, mara);
  await someone.waitFor();

  await page.getByLabel("World event").fill("The lamp goes out.");
  await page.getByRole("button", { name: "Let it happen" }).click();
  await page.locator(".happening.world", { hasText: "The lamp goes out." }).first().waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByLabel("Speed").selectOption("60");
  await page.getByText("Playing").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Cancelled").waitFor();
  // Who comes late sees what happened.
  await page.reload();
  await page.locator(".happening.line").first().waitFor();
  await page.getByRole("button", { name: "Play it again" }).click();
  await page.getByText("Replay", { exact: true }).waitFor();
  await changed(page, await clock(page));
  await close();
});

/** Clicks where somebody stands, as the map is drawn: the whole of it, in the middle. */
async function pick(page, { x, y }) {
  const { map } = await fields.call(`/v1/fields/${page.url().split("/").pop()}`);
  const box = await page.locator("canvas").boundingBox();
  const cell = Math.min(box.width / map[0].length, box.height / map.length);
  await page.mouse.click(box.x + (box.width - map[0].length * cell) / 2 + (x + 0.5) * cell, box.y + (box.height - map.length * cell) / 2 + (y + 0.5) * cell);
}

test("a field that is watched goes on after the server was away, with nothing missed", { timeout: 60_000 }, async () => {
  const { runId } = await fields.call("/v1/fields", { field: "tavern", speed: 10, seed: 3 });
  const { page, close } = await open(browser, { origin: fields.url });
  await page.goto(`${fields.url}/runs/${runId}`);
  await page.locator(".happening").first().waitFor();
  await fields.kill();
  await page.getByText("Connection lost").waitFor();
  await fields.start();
  await page.getByText("Connection lost").waitFor({ state: "hidden" });
  const before = await clock(page);
  await changed(page, before);
  await fields.call(`/v1/runs/${runId}/commands`, { command: "pause" });
  await page.getByText("Paused", { exact: true }).waitFor();
  const told = await fields.call(`/v1/fields/${runId}`);
  await page.waitForFunction((seconds) => document.querySelector(".scrub-time")?.textContent?.startsWith(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`), Math.floor(told.tick / 10));
  const states = await page.locator(".person").evaluateAll((people) => people.map((one) => one.textContent));
  for (const { name, state, type } of told.entities.filter(({ type }) => type === "npc")) {
    const words = state.charAt(0) + state.slice(1).toLowerCase();
    assert.ok(states.includes(`${name}${words}`), `${type} ${name} is ${words}: ${states}`);
  }
  await fields.call(`/v1/runs/${runId}/commands`, { command: "cancel" });
  await close();
});

/** A model that fails whatever it is asked, and counts how often it was to decide for somebody. */
async function decidingModel() {
  const model = { decisions: 0, url: "", close: () => {} };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += text));
    request.on("end", () => {
      if (body.includes("interaction_name")) model.decisions += 1;
      response.writeHead(500).end("{}");
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  model.url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/v1/`;
  model.close = () => server.close();
  return model;
}

test("a model decides for who is watched on the page, and for nobody else", { timeout: 60_000 }, async () => {
  const model = await decidingModel();
  const project = mkdtempSync(join(tmpdir(), "enact-watch-"));
  cpSync(fields.project, project, { recursive: true });
  writeFileSync(join(project, "enact.toml"), `[models.lead]\nprovider = "openai-compatible"\nmodel = "lead"\nbase_url = "${model.url}"\nretries = 0\nprice = { input = 3.0, output = 15.0 }\n`);
  const server = await new Server({ project, args: ["--minds", "lead"] }).start();
  const { runId } = await server.call("/v1/fields", { field: (await server.call("/v1/fields")).fields[0].name, speed: 10, seed: 3 });
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(`${server.url}/runs/${runId}`);
  await page.locator(".happening").nth(3).waitFor();
  assert.equal(model.decisions, 0);
  await page.getByRole("button", { name: /^Mara/ }).click();
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await page.getByRole("button", { name: "Watched", exact: true }).waitFor();
  const asked = () => model.decisions > 0;
  for (let tries = 0; tries < 100 && !asked(); tries++) await changed(page, await clock(page));
  assert.ok(asked(), "a model is asked");
  await checkAccessibility(page, "watched");
  await page.getByRole("button", { name: "Watched", exact: true }).click();
  await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
  assert.equal((await server.call(`/v1/fields/${runId}`)).watched, null);
  await close();
  await server.stop();
  model.close();
  rmSync(project, { recursive: true });
});

test("a field in one file is replayed on its map", { timeout: 60_000 }, async () => {
  const { runId } = await fields.call("/v1/fields", { field: "tavern", speed: 0, minutes: 1, seed: 3 });
  await fields.finished(runId);
  const file = join(fields.data, "field.html");
  execFileSync(binary, ["--data-dir", fields.data, "export", runId, "--format", "html", "-o", file]);
  const { page, close } = await open(browser, { origin: `file://${file}`, options: { reducedMotion: "no-preference" } });
  await page.goto(`file://${file}`);
  await page.getByRole("heading", { name: "The Gilded Goose" }).waitFor();
  await page.getByText("1:00 / 1:00").waitFor();
  const last = await page.locator(".happening").first().textContent();
  await checkAccessibility(page, "a field in a file");
  await page.getByRole("button", { name: /^Mara/ }).click();
  await page.getByRole("region", { name: "Mara" }).getByRole("list", { name: "Needs" }).waitFor();
  // From the beginning, where nothing has happened, as fast as it goes.
  await page.getByLabel("Place in the run").fill("1");
  await page.waitForFunction(() => !document.querySelector(".happening"));
  await page.getByText("Replay", { exact: true }).waitFor();
  await page.getByLabel("Speed").selectOption("16");
  await page.getByRole("button", { name: "Replay" }).click();
  await page.locator(".happening.line").first().waitFor();
  await page.getByText("1:00 / 1:00").waitFor();
  assert.equal(await page.locator(".field-happenings .happening").first().textContent(), last);
  await close();
});

/** Four seconds of a thousand people who walk about, talk and bid, a change every 200 ms. */
function crowd(size) {
  const [width, height] = [100, 60];
  const entity = (id, step) => ({
    id: `entity_${id}`, name: `Person ${id}`, glyph: "@", type: "npc", x: 1 + ((id * 7 + step) % (width - 2)), y: 1 + ((id * 13 + (step >> 1)) % (height - 2)),
    state: ["MOVING", "IDLE", "INTERACTING", "WAITING"][(id + step) % 4], interaction: null, needs: { hunger: (id + step) % 100, fun: 50, energy: 40, hygiene: 30 },
  });
  const everyone = (step) => Array.from({ length: size }, (_, id) => entity(id, step));
  // As the server tells them: who somebody is only the first time, needs when they have changed by some points.
  const changes = (step) => everyone(step).map(({ id, x, y, state, interaction, needs }, at) => ({ id, x, y, state, interaction, ...((at + step) % 5 ? {} : { needs }) }));
  const map = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => (x % (width - 1) && y % (height - 1) ? "." : "#")).join(""));
  const snapshot = { title: "A crowd", map, tick: 0, lastTick: 6000, speed: 1, paused: false, ended: null, kinds: ["conversation"], entities: everyone(0), interactions: [], bids: [], lastEventId: "0" };
  let id = 0;
  const event = (name, data) => `id: ${++id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const steps = Array.from({ length: 20 }, (_, step) => {
    const by = (step * 31) % size;
    const bids = Array.from({ length: 40 }, (_, at) => ({ bid: step * 40 + at, by: (by + at) % size, kind: 0, item: null, invited: [{ who: (by + at + 50) % size, accepted: false }] }));
    const conversation = [event("interaction_started", { tick: step * 2, id: step, kind: 0, by, members: [by, (by + 1) % size] }), event("line", { tick: step * 2, id: step, line: step, who: by, reply: { content: "What a crowd there is in this place tonight, do you not think so?" } })];
    return [event("delta", { tick: step * 2 + 2, entities: changes(step + 1), bids }), event("bid_settled", { tick: step * 2, bid: step * 40, by, kind: 0, with: [(by + 50) % size], outcome: "accepted" }), ...conversation].join("");
  });
  return { snapshot, steps };
}

test("a thousand entities take little script in each frame", { timeout: 60_000 }, async (t) => {
  const { snapshot, steps } = crowd(1000);
  const run = "00000000-0000-7000-8000-000000000001";
  const { page, close } = await open(browser, { origin: fields.url, options: { reducedMotion: "no-preference" } });
  await page.route(`**/v1/runs/${run}`, (route) => route.fulfill({ json: { runId: run, production: "field", name: "crowd", startedAt: new Date().toISOString(), status: "playing", reason: null, events: 1, metadata: {} } }));
  await page.route(`**/v1/fields/${run}`, (route) => route.fulfill({ json: snapshot }));
  // Each step is a stream that breaks off: the page asks for the rest, as after any lost connection.
  await page.addInitScript((texts) => {
    const real = window.fetch;
    window.fetch = (path, options) => {
      if (!String(path).split("?")[0].endsWith("/events")) return real(path, options);
      const encoder = new TextEncoder();
      const body = new ReadableStream({ start: (stream) => void texts.forEach((text, at) => setTimeout(() => stream.enqueue(encoder.encode(text)), 200 * at)) });
      return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    };
  }, steps);
  await page.goto(`${fields.url}/runs/${run}`);
  await page.locator(".scrub-time").waitFor();
  const events = await traced(browser, page, async () => {
    await page.waitForFunction(() => document.querySelector(".scrub-time")?.textContent?.startsWith("0:04"), undefined, { polling: 200 });
  });
  const frames = scriptByFrame(events);
  frames.sort((one, other) => one - other);
  const p95 = frames[Math.floor(frames.length * 0.95)];
  t.diagnostic(`1,000 entities: ${frames.length} frames, script in a frame ${frames[Math.floor(frames.length / 2)].toFixed(2)} ms at the median, ${p95.toFixed(2)} at p95, ${frames.at(-1).toFixed(1)} at most (bar: 4 at p95)`);
  assert.ok(frames.length > 30, "it is drawn frame by frame");
  assert.ok(p95 <= 4, `${p95} ms`);
  await close();
});

/** Milliseconds of processor time that scripts took before each frame that was shown: all of them, also what reads the stream. */
function scriptByFrame(events) {
  const SCRIPT = new Set(["FireAnimationFrame", "FunctionCall", "BlinkScheduler_PerformMicrotaskCheckpoint", "TimerFire"]);
  const wanted = events.filter(({ name, tdur }) => name === "Commit" || (SCRIPT.has(name) && tdur)).sort((one, other) => one.ts - other.ts);
  const shown = wanted.findIndex(({ name }) => name === "Commit");
  const frames = [0];
  let end = 0;
  for (const { name, ts, dur, tdur } of wanted.slice(shown + 1)) {
    if (name === "Commit") frames.push(0);
    else if (ts >= end) {
      // What lies inside of another is counted with that.
      end = ts + dur;
      frames[frames.length - 1] += tdur / 1000;
    }
  }
  return frames;
}

test("a field that was left before it was there is not followed", { timeout: 60_000 }, async () => {
  const { page, close } = await open(browser, { origin: fields.url });
  await page.goto(`${fields.url}/fields`);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/runs\//);
  const address = page.url();
  await page.goto(`${fields.url}/fields`);
  const followed = [];
  page.on("request", (request) => /\/v1\/fields\/[^/]+\/events/.test(request.url()) && followed.push(request.url()));
  let release = () => {};
  const held = new Promise((done) => (release = done));
  let wanted = () => {};
  const isWanted = new Promise((done) => (wanted = done));
  await page.route(/\/v1\/fields\/[0-9a-f-]{36}$/, async (route) => {
    wanted();
    await held;
    await route.continue();
  });
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, new URL(address).pathname);
  await isWanted;
  await page.getByRole("link", { name: "Runs" }).first().click();
  await page.locator("enact-field").waitFor({ state: "detached" });
  const told = page.waitForResponse(/\/v1\/fields\/[0-9a-f-]{36}$/);
  release();
  await (await told).finished();
  // An answer that is asked for later comes later: by then the page has read the other one.
  await page.evaluate(() => fetch("/v1/health").then((answer) => answer.text()));
  assert.deepEqual(followed, []);
  await close();
});
