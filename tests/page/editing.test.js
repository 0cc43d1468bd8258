// Editing sheets and scenes in a browser, and what the form of a new scene shows at which field.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { checkAccessibility, launch, open } from "./browser.js";
import { Server } from "./server.js";

/** @type {import("playwright-core").Browser} */
let browser;
const folder = mkdtempSync(join(tmpdir(), "enact-project-"));
const server = new Server({ project: "the-apology", args: ["--edit"] });
cpSync(server.project, folder, { recursive: true });
server.project = folder;

before(async () => {
  [browser] = await Promise.all([launch(), server.start()]);
});

after(async () => {
  await browser?.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const sheet = join(folder, ".claude/agents/alice.md");

test("a sheet and a scene are edited, with the server's words for what is wrong", { timeout: 60_000 }, async () => {
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(`${server.url}/new`);
  await page.getByRole("link", { name: "Edit the project" }).click();
  await page.getByRole("button", { name: "Alice" }).click();
  const text = page.getByLabel("Text of alice");
  await text.waitFor();
  assert.equal(await text.inputValue(), readFileSync(sheet, "utf8"));
  await checkAccessibility(page, "edit");
  await text.fill("# Alice - Harbour Pilot\n\n## Personality\n- Patient\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.match(readFileSync(sheet, "utf8"), /Harbour Pilot/);

  // Somebody else writes the file meanwhile.
  await text.fill("# Alice - Mine\n");
  writeFileSync(sheet, "# Alice - Theirs\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("somebody else has changed it").waitFor();
  assert.match(readFileSync(sheet, "utf8"), /Theirs/);
  await page.getByRole("button", { name: /Read it again/ }).click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("Theirs"));

  await page.getByLabel("New scene", { exact: true }).fill("../out");
  await page.getByRole("button", { name: "Add: New scene" }).click();
  await page.getByText("a name has letters, digits").waitFor();
  await page.getByLabel("New scene", { exact: true }).fill("the-harbour");
  await page.getByRole("button", { name: "Add: New scene" }).click();
  const scene = page.getByLabel("Text of the-harbour");
  await scene.fill("---\ncharacters: [alice, bob]\nmaxBeats: many\n---\nBob apologizes to Alice.\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/Line 3, column \d+: maxBeats/).waitFor();
  await scene.fill("---\ncharacters: [alice, bob]\ngoals:\n  - Bob apologizes to Alice\n---\nBob was late for the tide.\n");
  await page.keyboard.press("Control+s");
  await page.getByText("It can be played").waitFor();
  await page.getByText("read as: apologise, by Bob").waitFor();
  assert.match(readFileSync(join(folder, "scenes/the-harbour.md"), "utf8"), /late for the tide/);
  await close();
});

test("what is not saved is not lost by a link, by going back, or by an answer that comes late", { timeout: 60_000 }, async () => {
  const { page, close } = await open(browser, { origin: server.url });
  const asked = [];
  let answer = false;
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    return answer ? dialog.accept() : dialog.dismiss();
  });
  await page.goto(`${server.url}/new`);
  await page.getByRole("link", { name: "Edit the project" }).click();
  await page.getByRole("button", { name: "Bob", exact: true }).click();
  const bob = page.getByLabel("Text of bob");
  await bob.fill("# Bob - Mine\n");
  await page.getByRole("link", { name: "Runs" }).first().click();
  await page.evaluate(() => history.back());
  await page.getByRole("button", { name: "Alice", exact: true }).click();
  assert.equal(asked.length, 3);
  assert.equal(await bob.inputValue(), "# Bob - Mine\n");
  assert.match(page.url(), /\/edit\?kind=sheets&name=bob$/);

  // An answer that comes after another file was chosen opens nothing.
  let release = () => {};
  const held = new Promise((done) => (release = done));
  await page.route("**/v1/project/sheets/alice", async (route) => {
    await held;
    await route.continue();
  });
  answer = true;
  await page.getByRole("button", { name: "Alice", exact: true }).click();
  await page.getByRole("button", { name: "Bob", exact: true }).click();
  await bob.waitFor();
  const late = page.waitForResponse("**/v1/project/sheets/alice");
  release();
  await late;
  await page.unroute("**/v1/project/sheets/alice");
  assert.equal(await bob.count(), 1);

  // One that is saved while another is opened does not become it.
  let save = () => {};
  const saving = new Promise((done) => (save = done));
  await page.route("**/v1/project/sheets/bob", async (route) => {
    if (route.request().method() === "PUT") await saving;
    await route.continue();
  });
  await bob.fill("# Bob - Saved late\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Alice", exact: true }).click();
  const alice = page.getByLabel("Text of alice");
  await alice.waitFor();
  const before = await alice.inputValue();
  const put = page.waitForResponse((response) => response.request().method() === "PUT");
  save();
  await put;
  assert.equal(await alice.inputValue(), before);
  await alice.fill(`${before}\n- Late\n`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.match(readFileSync(join(folder, ".claude/agents/bob.md"), "utf8"), /Saved late/);
  await close();
});

test("what is wrong with a new scene stands at its field, with voice and budget in the form", { timeout: 60_000 }, async () => {
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(`${server.url}/new`);
  await page.getByRole("button", { name: /The Apology/ }).first().click();
  await page.getByText("It can be played").waitFor();
  const beats = page.getByLabel("Beats at most");
  await beats.fill("5000");
  await page.locator("label", { has: page.locator("[aria-invalid=true]") }).getByText("maxBeats must be at most 1000").waitFor();
  assert.equal(await beats.getAttribute("aria-invalid"), "true");
  await beats.fill("4");
  await page.getByText("It can be played").waitFor();
  await page.getByLabel("How alice sounds").selectOption("calm_soothing");
  await page.getByLabel("Tokens at most").fill("100000");
  await page.getByLabel("Dollars at most").fill("0.5");
  await page.getByText("It can be played").waitFor();
  await page.getByRole("button", { name: "Play it" }).click();
  await page.waitForURL(/\/runs\//);
  const log = await server.call(`/v1/runs/${page.url().split("/").pop()}/log`);
  const { setup } = JSON.parse(log.split("\n")[0]).body;
  assert.match(setup.cast.find(({ name }) => name === "alice").sheet, /^---\nvoice: calm_soothing\n/);
  assert.deepEqual(setup.budget, { cost: 500_000_000, tokens: 100_000 });
  await close();
});

test("nothing is edited without --edit, or without the scope", async () => {
  const closed = await new Server({ project: "the-apology" }).start();
  const put = (url, headers = {}) => fetch(`${url}/v1/project/sheets/alice`, { method: "PUT", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify({ text: "# Alice\n" }) });
  assert.equal((await put(closed.url)).status, 403);
  const { page, close } = await open(browser, { origin: closed.url });
  await page.goto(`${closed.url}/edit`);
  await page.getByText("This project is not edited here.").waitFor();
  await close();
  await closed.stop();
  assert.equal((await put(server.url)).status, 428);
  assert.equal((await put(server.url, { "If-Match": '"another"' })).status, 412);
  for (const name of ["..%2Fsecret", ".hidden", "a%2Fb", "x".repeat(65)]) {
    const answer = await fetch(`${server.url}/v1/project/sheets/${name}`);
    assert.equal(answer.status, 404, name);
  }
});
