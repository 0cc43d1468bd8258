// Every screen's main path, in a browser, against the real binary with the improviser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { checkAccessibility, launch, open } from "./browser.js";
import { Server, binary } from "./server.js";

/** @type {import("playwright-core").Browser} */
let browser;
const scenes = new Server({ project: "the-apology", args: ["--pace", "0.15"] });
const episodes = new Server({ project: "episodes" });

before(async () => {
  [browser] = await Promise.all([launch(), scenes.start(), episodes.start()]);
});

after(async () => {
  await browser?.close();
  await Promise.all([scenes.stop(), episodes.stop()]);
});

/** @param {string} name @param {Server} server @param {(page: import("playwright-core").Page) => Promise<void>} work @param {object} [options] */
const inBrowser = (name, server, work, options) =>
  test(name, { timeout: 60_000 }, async () => {
    const { page, close } = await open(browser, { origin: server.url, options });
    await work(page);
    await close();
  });

/** What is drawn follows a click a frame later. @param {import("playwright-core").Page} page @param {string} selector @param {number} wanted */
const counted = (page, selector, wanted) => page.waitForFunction(([what, count]) => document.querySelectorAll(what).length === count, [selector, wanted]);

const lines = (page) => page.locator(".sheet .line").count();

inBrowser("an example is checked, played, and grows live to its end", scenes, async (page) => {
  await page.goto(`${scenes.url}/new`);
  await page.getByRole("button", { name: /The Apology/ }).click();
  await page.getByText("It can be played").waitFor();
  await page.getByText("read as: apologise, by Bob").waitFor();
  await checkAccessibility(page, "new scene");
  await page.getByRole("button", { name: "Play it" }).click();
  await page.waitForURL(/\/runs\//);
  await page.locator(".sheet .line").first().waitFor();
  const early = await lines(page);
  await page.waitForFunction((count) => document.querySelectorAll(".sheet .line").length > count + 3, early);
  await page.getByText("End of scene").waitFor();
  // What stands beside the script is drawn some times a second.
  await counted(page, ".goals .met", 3);
  await page.getByRole("img", { name: /^Tension: \d+ %/ }).waitFor();
  assert.ok(await page.locator(".line.is-cut .unheard").count(), "a cut line shows what was not heard");
  assert.ok(await page.locator(".line.cuts").count(), "and the line that met it");
  await page.locator(".goals .evidence").first().click();
  await page.locator(".line.marked").waitFor();
  const second = page.locator(".sheet .line.line").nth(1);
  await second.hover();
  await second.getByRole("button", { name: "Why this line" }).click();
  await page.getByRole("heading", { name: /Why .* said this/ }).waitFor();
  await checkAccessibility(page, "scene");
});

inBrowser("a form that makes no scene says so at the field", scenes, async (page) => {
  await page.goto(`${scenes.url}/new`);
  await page.getByRole("button", { name: /The Apology/ }).click();
  await page.getByText("It can be played").waitFor();
  await page.getByLabel("Name of somebody new").fill("Aunt Ada");
  await page.keyboard.press("Enter");
  await page.locator(".role-name", { hasText: "Aunt Ada" }).waitFor();
  await page.getByRole("spinbutton", { name: "Beats at most" }).fill("0");
  await page.locator("form").evaluate((form) => (form.noValidate = true));
  await page.locator("input[aria-invalid=true]").waitFor();
  await page.locator("label:has(input[aria-invalid=true]) .problem").waitFor();
});

inBrowser("runs are listed, searched and filtered", scenes, async (page) => {
  const run = await scenes.scene({ name: "a-needle", maxBeats: 1 });
  await scenes.finished(run);
  await page.goto(scenes.url);
  await page.getByRole("link", { name: "A Needle" }).waitFor();
  await checkAccessibility(page, "home");
  await page.getByRole("searchbox").fill("NEEDLE");
  await counted(page, ".run", 1);
  await page.getByLabel("Status").selectOption("playing");
  await page.getByText("No run is like that.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("link", { name: "A Needle" }).click();
  await page.getByText("End of scene").waitFor();
});

inBrowser("a scene is steered: whispered to, stirred, paused, stopped", scenes, async (page) => {
  // Somebody who takes as long as it takes keeps the scene from being over before it is steered.
  const run = await scenes.scene({ models: { charlie: "human" }, humanTimeoutSeconds: "none" });
  await page.goto(`${scenes.url}/runs/${run}`);
  await page.getByLabel("What kind").selectOption({ label: "Whisper to Bob" });
  await page.getByLabel("Text", { exact: true }).fill("You are hiding something.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Bob will be told.").waitFor();
  await page.getByLabel("What kind").selectOption("world");
  await page.getByLabel("Text", { exact: true }).fill("The lights go out.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("form", { name: /Charlie/ }).getByRole("button", { name: "Stay silent" }).click();
  await page.locator(".line.world", { hasText: "The lights go out." }).waitFor();
  await page.locator(".line.note", { hasText: "You are hiding something." }).waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
});

inBrowser("a person takes a part", scenes, async (page) => {
  const run = await scenes.scene({ models: { bob: "human" }, humanTimeoutSeconds: "none" });
  await page.goto(`${scenes.url}/runs/${run}`);
  const part = page.getByRole("form", { name: "Your part: Bob" });
  await part.waitFor();
  await checkAccessibility(page, "a part");
  await part.getByRole("textbox").fill("(looks up) I am sorry, Alice.");
  await part.getByRole("button", { name: "Say it" }).click();
  await page.locator(".line", { hasText: "I am sorry, Alice." }).waitFor();
  await page.locator(".line .action", { hasText: "looks up" }).waitFor();
});

inBrowser("a run is stepped through with the keyboard, replayed and forked from a line", scenes, async (page) => {
  const run = await scenes.finished(await scenes.scene());
  await page.goto(`${scenes.url}/runs/${run}`);
  await page.getByText("End of scene").waitFor();
  const all = await lines(page);
  await page.keyboard.press("Home");
  await counted(page, ".sheet .line", 0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll(".sheet .line").length >= 2);
  await page.getByLabel("Speed").selectOption("16");
  await page.keyboard.press(" ");
  await page.getByText("End of scene").waitFor();
  assert.equal(await lines(page), all);

  // So are the tools of a line used: they come with the line that is in focus.
  await page.locator(".sheet .line[tabindex]").first().focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /Why .* said this/ }).waitFor();
  // The menu is opened and closed without a mouse.
  await page.locator("details.menu summary").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Markdown" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Markdown" }).waitFor({ state: "hidden" });

  const third = page.locator(".sheet .line:not(.world, .system)").nth(2);
  const text = await third.locator(".name").textContent();
  await third.hover();
  await third.getByRole("button", { name: "Branch off after this line" }).click();
  await page.waitForURL((url) => !url.pathname.includes(run));
  await page.getByText("End of scene").waitFor({ timeout: 30_000 });
  assert.equal(await page.locator(".sheet .line:not(.world, .system) .name").nth(2).textContent(), text);
  await page.getByRole("link", { name: "side by side" }).first().click();
  await page.getByText(/the same up to line/).waitFor();
  assert.equal(await page.locator(".sheet").count(), 2);
});

inBrowser("a scene is heard, line by line, and text is not ahead of speech", scenes, async (page) => {
  const run = await scenes.finished(await scenes.scene({ maxBeats: 2 }));
  await page.goto(`${scenes.url}/runs/${run}`);
  await page.getByText("End of scene").waitFor();
  const all = await lines(page);
  await page.getByRole("button", { name: "Listen" }).click();
  await page.waitForFunction((count) => {
    const shown = document.querySelectorAll(".sheet .line").length;
    return shown > 0 && shown < count;
  }, all);
  await page.getByRole("button", { name: "Stop listening" }).click();
});

inBrowser("a server that is killed in the middle of a scene is found again, and nothing is missed", scenes, async (page) => {
  const run = await scenes.scene({ models: { charlie: "human" }, humanTimeoutSeconds: "none" });
  await page.goto(`${scenes.url}/runs/${run}`);
  await page.locator(".sheet .line").first().waitFor();
  await scenes.kill();
  await page.getByText("Connection lost").waitFor();
  await scenes.start();
  await page.getByText("Connection lost").waitFor({ state: "hidden" });
  await page.getByRole("form", { name: /Charlie/ }).getByRole("textbox").fill("Back again.");
  await page.getByRole("button", { name: "Say it" }).click();
  await page.locator(".line", { hasText: "Back again." }).waitFor();
  const shown = await page.locator(".sheet .line:not(.note)").count();
  const told = (await scenes.call(`/v1/runs/${run}/log`)).split("\n").filter((line) => line.includes('"kind":"line_added"')).length;
  assert.ok(told >= shown && shown >= told - 2, `${shown} of ${told}`);
  assert.equal(new Set(await page.locator(".sheet .line").evaluateAll((all) => all.map(({ id }) => id))).size, await lines(page), "nothing twice");
});

inBrowser("a chorus is asked, its cards fill, and it is heard", scenes, async (page) => {
  await page.goto(`${scenes.url}/chorus`);
  await page.getByLabel("Your message").fill("What does rain sound like?");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("All is said").waitFor({ timeout: 40_000 });
  assert.equal(await page.locator(".slot").count(), 6);
  await page.getByRole("heading", { name: /Speaker 1 · / }).waitFor();
  assert.ok(await page.getByText(/commented on: Speaker/).count());
  assert.ok(await page.getByText(/received: \d comment/).count());
  assert.ok(await page.locator(".target").count());
  assert.ok(await page.locator("a.audio-ready").count() >= 12);
  const [sound] = await Promise.all([page.waitForEvent("download"), page.locator("a.audio-ready").first().click()]);
  assert.match(sound.suggestedFilename(), /\.wav$/);
  const first = page.locator(".slot").first();
  await first.getByRole("button", { name: /T1: turn 1/ }).click();
  await first.getByRole("button", { name: /T2: turn 2/ }).click();
  // One at a time, for each slot.
  await counted(page, ".turn.open", 1);
  await page.locator(".slot").nth(1).getByRole("button", { name: /T1: turn 1/ }).click();
  await counted(page, ".turn.open", 2);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways");
  await checkAccessibility(page, "chorus");
  await page.getByRole("button", { name: "T1", exact: true }).last().click();
  const speaking = page.locator(".turn.speaking");
  await speaking.first().waitFor();
  const before = await speaking.first().textContent();
  await page.waitForFunction((text) => {
    const now = document.querySelector(".turn.speaking");
    return now && now.textContent !== text;
  }, before, { timeout: 30_000 });
});

inBrowser("a kiosk frees itself when it is loaded anew", scenes, async (page) => {
  await page.goto(`${scenes.url}/chorus?kiosk`);
  await page.getByLabel("Your message").fill("Hello there");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.locator(".turn .pulse").first().waitFor();
  await page.reload();
  // Six cards and the question are on the screen at once.
  await page.locator(".slot").nth(5).waitFor();
  const ask = await page.getByRole("button", { name: "Ask" }).boundingBox();
  assert.ok(ask && ask.y + ask.height <= 800, `the question ends at ${ask && ask.y + ask.height} px`);
  await page.getByLabel("Your message").fill("And again");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("“And again”").waitFor();
  await page.locator(".turn-text:not(.waiting)").first().waitFor();
  assert.equal(await page.locator("header.frame").count(), 0);
});

inBrowser("an episode is played to its result, and opened again where it was", episodes, async (page) => {
  await page.goto(`${episodes.url}/episodes`);
  await page.getByRole("link", { name: "The Flirt Test" }).last().click();
  await page.locator(".said-by.them .bubble").waitFor();
  await checkAccessibility(page, "landing");
  await page.getByRole("button", { name: "Step in" }).click();
  await page.locator(".scene-card").waitFor();
  await page.getByRole("group", { name: "What you could say" }).getByRole("button").nth(1).click();
  for (let turn = 1; turn < 7; turn++) {
    await page.waitForFunction((count) => document.querySelectorAll(".said-by.them").length > count && !document.querySelector(".say button[disabled]"), turn);
    const choices = page.locator(".choices button");
    if (await choices.count()) await choices.first().click();
    else {
      await page.getByLabel("What you say").fill(`Tell me about ${turn} true things?`);
      await page.getByRole("button", { name: "Say it" }).click();
    }
    if (turn === 3) {
      await page.waitForFunction((count) => document.querySelectorAll(".said-by.them").length > count, turn + 1);
      const before = await page.locator(".said-by").count();
      await page.reload();
      await page.waitForFunction((count) => document.querySelectorAll(".said-by").length >= count, before);
      assert.equal(await page.locator(".said-by").count(), before);
    }
  }
  const result = page.getByRole("region", { name: "Result" });
  await result.waitFor();
  assert.ok(await result.locator("blockquote").count());
  await checkAccessibility(page, "episode");
  await page.getByRole("button", { name: "Dismiss the suggestion" }).click();
  assert.equal(await page.getByRole("dialog").count(), 0);

  const session = page.url().split("/").pop();
  const { share_id } = await episodes.call(`/v1/sessions/${session}/result`);
  await page.goto(`${episodes.url}/r/${share_id}`);
  await page.getByRole("heading").first().waitFor();
  await checkAccessibility(page, "share");
});

inBrowser("a series makes the first move, and goes on where its player is", episodes, async (page) => {
  await page.goto(`${episodes.url}/series/blackwater-hall`);
  await page.getByRole("heading", { name: "Blackwater Hall" }).waitFor();
  await page.getByRole("heading", { name: "Episode 1 of 4: The Stopped Clock" }).waitFor();
  assert.equal(await page.getByRole("list", { name: "Episodes" }).getByRole("listitem").count(), 4);
  await page.locator(".said-by.them .bubble").waitFor();
  await checkAccessibility(page, "series");
  await page.getByRole("button", { name: "Who found him?" }).click();
  await page.waitForURL(/\/runs\//);
  await page.locator(".said-by.you", { hasText: "Who found him?" }).waitFor();
  await page.getByText("Episode 1 of 4").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".said-by.them").length === 2 && !document.querySelector(".say button[disabled]"));
  const session = page.url().split("/").pop();
  const isOpen = async () => (await episodes.call(`/v1/sessions/${session}`)).session_state !== "complete";
  for (let turn = 1; turn < 12 && (await isOpen()); turn++) await episodes.call(`/v1/sessions/${session}/messages`, { id: `t${turn}`, text: `What about clock number ${turn}?` });
  await page.goto(`${episodes.url}/series/blackwater-hall`);
  await page.getByText("Played").waitFor();
  await page.getByRole("heading", { name: /Episode 2 of 4/ }).waitFor();
});

inBrowser("what is said while the server is away is answered when it is back, once", episodes, async (page) => {
  const { runId } = await episodes.call("/v1/sessions", { episode: "the-late-shop" });
  await page.goto(`${episodes.url}/runs/${runId}`);
  await page.getByLabel("What you say").waitFor();
  await episodes.kill();
  await page.getByLabel("What you say").fill("Is anybody there?");
  await page.getByRole("button", { name: "Say it" }).click();
  await page.getByText("Connection lost").waitFor();
  await episodes.start();
  await page.waitForFunction(() => document.querySelectorAll(".said-by.them").length === 2 && !document.querySelector(".said-by .pulse"));
  await page.getByText("Connection lost").waitFor({ state: "hidden" });
  const { messages } = await episodes.call(`/v1/sessions/${runId}/messages`);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant"]);
});

inBrowser("costs are added up, plotted and saved", scenes, async (page) => {
  await page.goto(`${scenes.url}/costs`);
  await page.getByRole("row", { name: /improviser/ }).waitFor();
  await page.getByRole("button", { name: "Character" }).click();
  await page.getByRole("row", { name: /alice/ }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  assert.equal(download.suggestedFilename(), "costs-by-character.csv");
  await checkAccessibility(page, "costs");
});

test("a run in one file is replayed from disk, without a server", { timeout: 60_000 }, async () => {
  const hostile = "</script><script>document.title='broken'</script> <b>bold</b>";
  const run = await scenes.finished(await scenes.scene({ maxBeats: 4, prompt: `Bob apologizes to Alice. ${hostile}`, setting: hostile }));
  const file = join(scenes.data, "run.html");
  execFileSync(binary, ["--data-dir", scenes.data, "export", run, "--format", "html", "-o", file]);
  const { page, close } = await open(browser, { origin: `file://${file}` });
  await page.goto(`file://${file}`);
  await page.getByText("End of scene").waitFor();
  await page.locator(".script-setting", { hasText: hostile }).waitFor();
  await page.getByRole("img", { name: /^Tension: \d+ %/ }).waitFor();
  const all = await lines(page);
  // The first step is from the end of the scene back to its last line.
  for (const _ of [1, 2]) await page.getByRole("button", { name: "Previous line" }).click();
  await page.waitForFunction((count) => document.querySelectorAll(".sheet .line").length < count, all);
  // It can be listened to: what is heard is in the file.
  await page.evaluate(() => {
    window.heard = [];
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      this.addEventListener("playing", () => window.heard.push([this.src.slice(0, 20), this.duration]), { once: true });
      return play.call(this);
    };
  });
  await page.locator(".sheet .line.line").first().hover();
  await page.getByRole("button", { name: "Hear this line" }).first().click();
  await page.waitForFunction(() => window.heard.length === 1);
  const [[source, seconds]] = await page.evaluate(() => window.heard);
  assert.equal(source, "data:audio/wav;base6");
  assert.ok(seconds > 0.5, `${seconds} s`);
  await page.getByRole("button", { name: "Listen" }).click();
  await page.waitForFunction(() => window.heard.length >= 2);
  await close();

  // Another test may have left before its answers were there.
  await scenes.call("/v1/reset", {});
  const answer = await fetch(`${scenes.url}/v1/chat`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: "Hello", slots: [{ slotId: 1, agentId: "gpt-4o" }, { slotId: 2, agentId: "gemini-3" }] }) });
  const session = /"sessionId":"([^"]+)"/.exec(await answer.text())[1];
  execFileSync(binary, ["--data-dir", scenes.data, "export", session, "--format", "html", "-o", file]);
  const second = await open(browser, { origin: `file://${file}` });
  await second.page.goto(`file://${file}`);
  await second.page.getByRole("button", { name: "Hear turn 1 of Speaker 1" }).click();
  await second.page.locator(".turn.speaking").waitFor();
  const [sound] = await Promise.all([second.page.waitForEvent("download"), second.page.locator("a.audio-ready").first().click()]);
  assert.match(sound.suggestedFilename(), /\.wav$/);
  await second.close();
});

test("an episode in one file is replayed as the conversation it was", { timeout: 60_000 }, async () => {
  const { runId } = await episodes.call("/v1/sessions", { episode: "flirt-test" });
  const said = ["I'll have whatever makes you laugh.", "You first.", "Dare.", "You count them.", "I came in for the rain.", "Ask me tomorrow.", "You already know."];
  for (const [index, text] of said.entries()) await episodes.call(`/v1/sessions/${runId}/messages`, { id: `m${index}`, text });
  const file = join(episodes.data, "episode.html");
  execFileSync(binary, ["--data-dir", episodes.data, "export", runId, "--format", "html", "-o", file]);
  const { page, close } = await open(browser, { origin: `file://${file}` });
  await page.goto(`file://${file}`);
  await page.getByRole("region", { name: "Result" }).waitFor();
  await counted(page, ".said-by.you", said.length);
  assert.equal(await page.getByRole("textbox").count(), 0, "nobody can answer");
  await checkAccessibility(page, "an episode in a file");
  await page.getByLabel("Place in the run").fill("1");
  await counted(page, ".said-by.you", 0);
  await page.getByRole("button", { name: "Next line" }).click();
  await counted(page, ".said-by.you", 1);
  await page.getByLabel("Speed").selectOption("16");
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  await counted(page, ".said-by.you", said.length);
  await close();
});

test("a server with a token asks for it, and says when it is wrong", { timeout: 60_000 }, async () => {
  const server = await new Server({ project: "the-apology", env: { ENACT_TOKEN: "a-token-for-the-tests" } }).start();
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(server.url);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await checkAccessibility(page, "sign in");
  await page.getByLabel("Token").fill("a-wrong-token-here");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("this is not a token of this server").waitFor();
  await page.getByLabel("Token").fill("a-token-for-the-tests");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Nothing has been played yet.").waitFor();
  const { scenes: offered } = await server.call("/v1/project", undefined, { Authorization: "Bearer a-token-for-the-tests" });
  const { runId } = await server.call("/v1/scenes", { config: offered[0].config }, { Authorization: "Bearer a-token-for-the-tests" });
  await page.goto(`${server.url}/runs/${runId}`);
  await page.getByText("End of scene").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await close();
  await server.stop();
});

test("a token that is no longer taken leads to the sign-in, and with another the scene goes on", { timeout: 60_000 }, async () => {
  const server = await new Server({ project: "the-apology", args: ["--pace", "0.3"], env: { ENACT_TOKEN: "the-first-of-two-tokens" } }).start();
  const headers = { Authorization: "Bearer the-first-of-two-tokens" };
  const { scenes: offered } = await server.call("/v1/project", undefined, headers);
  const { runId } = await server.call("/v1/scenes", { config: offered[0].config, sheets: offered[0].sheets }, headers);
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(`${server.url}/runs/${runId}`);
  await page.getByLabel("Token").fill("the-first-of-two-tokens");
  await page.keyboard.press("Enter");
  await page.locator(".sheet .line").first().waitFor();
  await server.kill();
  await page.getByText("Connection lost").waitFor();
  server.env = { ENACT_TOKEN: "the-second-of-two-tokens" };
  await server.start();
  await page.getByText("no longer takes the token").waitFor();
  // Without a hand on the mouse.
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "token");
  await page.keyboard.type("the-second-of-two-tokens");
  await page.keyboard.press("Enter");
  await page.getByText("End of scene").waitFor({ timeout: 30_000 });
  await close();
  await server.stop();
});

test("a guest plays an episode without a token, comes back to it, and sees nothing else", { timeout: 60_000 }, async () => {
  const server = await new Server({ project: "episodes", args: ["--guests"], env: { ENACT_TOKEN: "a-token-for-the-tests" } }).start();
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(server.url);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("link", { name: "play an episode as a guest" }).click();
  await page.getByRole("link", { name: "The Flirt Test" }).last().click();
  await page.getByRole("button", { name: "Step in" }).click();
  await page.getByLabel("What you say").fill("Hello there.");
  await page.getByRole("button", { name: "Say it" }).click();
  await counted(page, ".said-by.them", 2);
  await page.reload();
  await page.locator(".said-by.you", { hasText: "Hello there." }).waitFor();
  await page.getByRole("link", { name: "Costs" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await close();
  await server.stop();
});

inBrowser("on a telephone nothing is wider than the screen", scenes, async (page) => {
  const run = await scenes.finished(await scenes.scene({ maxBeats: 4 }));
  for (const path of ["/", "/new", "/edit", `/runs/${run}`, "/chorus", "/episodes", "/fields", "/costs"]) {
    await page.goto(scenes.url + path);
    await page.locator("main :is(h1, form, .state)").first().waitFor();
    if (path.startsWith("/runs")) await page.getByText("End of scene").waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${path} is ${wide} px too wide`);
  }
}, { viewport: { width: 360, height: 740 } });

inBrowser("a telephone without a pointer has names in one piece, and tools that can be touched", scenes, async (page) => {
  const run = await scenes.finished(await scenes.scene({ maxBeats: 4 }));
  await page.goto(`${scenes.url}/runs/${run}`);
  await page.getByText("End of scene").waitFor();
  const name = page.locator(".line.line .name").first();
  const { width, height } = await name.evaluate((one) => one.getBoundingClientRect());
  assert.ok(width > height * 2, `a name of ${width} by ${height} px`);
  await page.getByRole("button", { name: "Why this line" }).first().tap();
  await page.getByRole("heading", { name: /Why .* said this/ }).waitFor();
}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

test("addresses of the page are its own, and unknown paths of the API stay unknown", async () => {
  for (const [path, status] of [["/", 200], ["/runs/x", 200], ["/r/x", 404], ["/nothing", 404], ["/v1/nothing", 404], ["/page/nothing.js", 404], ["/page/lib/html.js", 200]]) {
    assert.equal((await fetch(scenes.url + path)).status, status, path);
  }
  const shell = await fetch(scenes.url);
  assert.match(shell.headers.get("content-security-policy") ?? "", /script-src 'self'/);
  const again = await fetch(`${scenes.url}/page/app.js`, { headers: { "If-None-Match": (await fetch(`${scenes.url}/page/app.js`)).headers.get("etag") ?? "" } });
  assert.equal(again.status, 304);
});
