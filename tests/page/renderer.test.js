// The renderer and the API that the page relies on: in a browser, with the page's own files.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { launch, open } from "./browser.js";
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

/** Runs a function in a page that has the renderer. @param {(lib: any, into: HTMLElement) => unknown} work */
async function rendering(work) {
  const { page, close } = await open(browser, { origin: server.url });
  await page.goto(`${server.url}/costs`);
  const result = await page.evaluate(`(async () => {
    const lib = await import("/page/lib/html.js");
    const into = document.body.appendChild(document.createElement("section"));
    return (${work})(lib, into);
  })()`);
  await close();
  return result;
}

test("what is said is text, never markup", async () => {
  const html = await rendering(({ html, render }, into) => {
    render(html`<p title=${'"><b>x</b>'}>${"<img src=x onerror=alert(1)>"}</p>`, into);
    return [into.querySelectorAll("p > *").length, into.textContent, into.querySelector("p").title];
  });
  assert.deepEqual(html, [0, "<img src=x onerror=alert(1)>", '"><b>x</b>']);
});

test("values change where they stand, and elements stay", async () => {
  const seen = await rendering(({ html, render }, into) => {
    const clicks = [];
    const draw = (name, on, more) => render(html`<button class="a ${name} b ${name}c" ?disabled=${on} title=${on ? name : null} @click=${() => clicks.push(name)} .value=${name}>${name}: ${more}</button>`, into);
    draw("one", false, null);
    const button = into.querySelector("button");
    button.click();
    draw("two", false, html`<i>more</i>`);
    button.click();
    const first = [button.className, button.title, button.value, button.textContent, button.disabled];
    draw("three", true, ["x", html`<b>y</b>`, 3, false, undefined]);
    return [clicks, first, [button.className, button.title, button.textContent, button.disabled], into.querySelector("button") === button];
  });
  assert.deepEqual(seen, [["one", "two"], ["a two b twoc", "", "two", "two: more", false], ["a three b threec", "three", "three: xy3", true], true]);
});

test("an attribute with an address in it keeps all of its parts", async () => {
  const href = await rendering(({ html, render }, into) => {
    render(html`<a href="/x?a=${1}&b=${2}" aria-label=${"y"}>z</a>`, into);
    return [into.querySelector("a").getAttribute("href"), into.querySelector("a").getAttribute("aria-label")];
  });
  assert.deepEqual(href, ["/x?a=1&b=2", "y"]);
});

test("items of a list keep their elements, whatever comes, goes or moves", async () => {
  const orders = await rendering(({ html, render, repeat }, into) => {
    const elements = new Map();
    let drawn = 0;
    const items = new Map();
    const item = (key) => items.get(key) ?? items.set(key, { key }).get(key);
    const show = (keys, salt) => {
      render(html`<ul>${repeat([...keys].map(item), (one) => one.key, (one) => (drawn++, html`<li id=${one.key}>${one.key}</li>`), salt)}</ul>`, into);
      const all = [...into.querySelectorAll("li")];
      const kept = all.every((element) => (elements.get(element.id) ?? element) === element);
      for (const element of all) elements.set(element.id, element);
      for (const key of elements.keys()) if (![...keys].includes(key)) elements.delete(key);
      return `${all.map(({ id }) => id).join("")} ${kept}`;
    };
    const seen = ["abc", "abcd", "dabc", "bd", "xbyd", "", "ab", "ba"].map((keys) => show(keys));
    const before = drawn;
    show("ba");
    const again = drawn - before;
    show("ba", "salt");
    return [seen, again, drawn - before];
  });
  assert.deepEqual(orders, [["abc true", "abcd true", "dabc true", "bd true", "xbyd true", " true", "ab true", "ba true"], 0, 2]);
});

test("shapes inside of an image are shapes", async () => {
  const names = await rendering(({ html, render, svg }, into) => {
    render(html`<svg viewBox="0 0 1 1">${[1, 2].map((width) => svg`<rect width=${width} />`)}</svg>`, into);
    return [...into.querySelectorAll("rect")].map((rect) => [rect instanceof SVGElement, rect.getAttribute("width")]);
  });
  assert.deepEqual(names, [[true, "1"], [true, "2"]]);
});

test("every address that the page calls is in the document of the API", async () => {
  const document = await server.call("/v1/openapi.json");
  const paths = Object.keys(document.paths).map((path) => path.replace(/\{[^}]+\}/g, "{}"));
  const folder = fileURLToPath(new URL("../../crates/enact-page/files/", import.meta.url));
  const modules = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  const called = new Set();
  for (const name of modules) {
    for (const [, path] of readFileSync(folder + name, "utf8").matchAll(/["`](\/v1\/[a-z](?:[^"`$?]|\$\{[^}]*\})*)/g)) {
      called.add(path.replace(/\$?\{[^}]*\}/g, "{}"));
    }
  }
  assert.ok(called.size > 15, [...called].join());
  for (const path of called) assert.ok(paths.includes(path), path);
});
