// The pictures of docs/screens/: every screen, light and dark, taken of a real server. Run by `scripts/test-page --screens`.

import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { launch, open } from "./browser.js";
import { Server } from "./server.js";

const folder = fileURLToPath(new URL("../../docs/screens/", import.meta.url));
/** A picture that is larger is no longer looked at. */
const MOST_BYTES = 150 * 1024;

mkdirSync(folder, { recursive: true });
const scenes = await new Server({ project: "the-apology" }).start();
const episodes = await new Server({ project: "episodes" }).start();
const editing = await new Server({ project: "the-apology", args: ["--edit"] }).start();
const fields = await new Server({ project: "tavern" }).start();
const browser = await launch();

const run = await scenes.finished(await scenes.scene({ seed: 11 }));
for (const [name, seed] of [["clause-nine", 3], ["platform-two", 5]]) {
  const { scenes: offered } = await scenes.call("/v1/project");
  const { config, sheets } = offered.find((one) => one.config.name === name);
  const { runId } = await scenes.call("/v1/scenes", { config: { ...config, seed }, sheets });
  await scenes.finished(runId);
}
const { runId: branch } = await scenes.call(`/v1/runs/${run}/fork`, { beat: 3 });
await scenes.finished(branch);
const part = await scenes.scene({ name: "late-again", models: { bob: "human" }, humanTimeoutSeconds: "none" });
const slots = ["claude-sonnet-4-5", "claude-opus-4-5", "gpt-5.2", "gpt-5.1", "gpt-4o", "gemini-3"].map((agentId, index) => ({ slotId: index + 1, agentId }));
const chat = await scenes.call("/v1/chat", { message: "What does rain sound like?", slots });
const chorus = /"sessionId":"([^"]+)"/.exec(chat)[1];
const { runId: session } = await episodes.call("/v1/sessions", { episode: "flirt-test" });
for (const [index, text] of ["I'll have whatever makes you laugh.", "You first. I'm better at listening.", "Dare.", "You look like you count them.", "I came in for the rain.", "Ask me tomorrow.", "You already know."].entries()) {
  await episodes.call(`/v1/sessions/${session}/messages`, { id: `m${index}`, text });
}
const { runId: open1 } = await episodes.call("/v1/sessions", { episode: "hollis-1-the-stopped-clock" });
await episodes.call(`/v1/sessions/${open1}/messages`, { id: "m0", text: "Who found him?" });

const { runId: field } = await fields.call("/v1/fields", { field: "tavern", speed: 10, seed: 3 });
/** Waits until a field has come to a second of it, and lets it stand there. */
const until = async (run, second) => {
  while ((await fields.call(`/v1/fields/${run}`)).tick < second * 10) await new Promise((resolve) => setTimeout(resolve, 100));
  await fields.call(`/v1/runs/${run}/commands`, { command: "pause" });
};
let stands = null;

/** @type {[string, string, (page: import("playwright-core").Page) => Promise<unknown>, object?][]} */
const SCREENS = [
  ["home", scenes.url, (page) => page.locator(".run").first().waitFor()],
  ["new-scene", `${scenes.url}/new`, async (page) => {
    await page.getByRole("button", { name: /The Apology/ }).click();
    await page.getByText("It can be played").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  }],
  ["scene", `${scenes.url}/runs/${run}`, async (page) => {
    await page.getByText("End of scene").waitFor();
    await page.locator(".line.cuts").first().evaluate((line) => scrollTo(0, line.getBoundingClientRect().top + scrollY - 400));
  }],
  ["scene-part", `${scenes.url}/runs/${part}`, (page) => page.getByRole("form", { name: /Your part/ }).waitFor()],
  ["scene-branches", `${scenes.url}/runs/${branch}?beside=${run}`, (page) => page.getByText(/the same up to line/).waitFor()],
  ["chorus", `${scenes.url}/runs/${chorus}`, async (page) => {
    await page.getByText("All is said").waitFor();
    await page.getByRole("button", { name: /T1: turn 1 of Speaker 2/ }).click();
  }],
  ["kiosk", `${scenes.url}/chorus?kiosk`, (page) => page.locator(".slot").nth(5).waitFor(), { viewport: { width: 1280, height: 800 } }],
  ["episodes", `${episodes.url}/episodes`, (page) => page.locator(".offer").first().waitFor()],
  ["episode", `${episodes.url}/runs/${open1}`, (page) => page.locator(".said-by.them").nth(1).waitFor()],
  ["episode-result", `${episodes.url}/runs/${session}`, async (page) => {
    await page.getByRole("region", { name: "Result" }).waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  }],
  ["costs", `${scenes.url}/costs?by=character`, (page) => page.locator("tbody tr").first().waitFor()],
  ["series", `${episodes.url}/series/blackwater-hall`, (page) => page.locator(".said-by.them").first().waitFor()],
  ["edit", `${editing.url}/edit?kind=sheets&name=alice`, (page) => page.getByLabel("Text of alice").waitFor()],
  ["fields", `${fields.url}/fields`, (page) => page.locator(".offer").first().waitFor()],
  ["field", `${fields.url}/runs/${field}`, async (page) => {
    await page.locator(".happening").first().waitFor({ timeout: stands ? 1 : 15_000 }).catch(() => {});
    await (stands ??= until(field, 14));
    await page.getByRole("button", { name: /^Mara/ }).click();
    await page.getByText("Memory").waitFor();
  }],
  ["field-phone", `${fields.url}/runs/${field}`, (page) => page.locator(".person").first().waitFor(), { viewport: { width: 360, height: 740 } }],
  ["home-phone", scenes.url, (page) => page.locator(".run").first().waitFor(), { viewport: { width: 360, height: 740 } }],
  ["scene-phone", `${scenes.url}/runs/${run}`, (page) => page.getByText("End of scene").waitFor(), { viewport: { width: 360, height: 740 } }],
];

const wanted = process.argv.slice(2);
for (const [name, address, ready, more = {}] of SCREENS.filter(([one]) => !wanted.length || wanted.includes(one))) {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await open(browser, { options: { viewport: { width: 1060, height: 640 }, colorScheme, ...more } });
    await page.goto(address);
    await ready(page);
    await page.waitForTimeout(500);
    const path = `${folder}${name}-${colorScheme}.png`;
    await page.screenshot({ path });
    const { size } = statSync(path);
    console.log(`${name}-${colorScheme}.png ${(size / 1024).toFixed(0)} KB`);
    if (size > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES / 1024} KB`);
    await close();
  }
}

await browser.close();
await Promise.all([scenes.stop(), episodes.stop(), editing.stop(), fields.stop()]);
