// A real server for the tests of the page: the binary, a project, a data folder of its own, and any free port.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const binary = process.env.ENACT ?? join(root, "target/debug/enact");

export class Server {
  /** @param {{ project: string, args?: string[], env?: Record<string, string> }} options a folder of examples, or any by its whole path */
  constructor({ project, args = [], env = {} }) {
    this.project = resolve(root, "examples", project);
    this.args = args;
    this.env = env;
    this.data = mkdtempSync(join(tmpdir(), "enact-page-"));
    this.bind = "127.0.0.1:0";
  }

  /** Starts it, or starts it again on the port that it had. */
  async start() {
    const pages = process.env.PAGE_DIR ? ["--page-dir", process.env.PAGE_DIR] : [];
    this.child = spawn(binary, ["--data-dir", this.data, "serve", "--bind", this.bind, ...pages, ...this.args], {
      cwd: this.project,
      env: { ...process.env, ENACT_LOG: "error", ...this.env },
    });
    // A test that fails leaves no server behind.
    process.once("exit", () => this.child.kill("SIGKILL"));
    let said = "";
    this.child.stderr.on("data", (text) => process.stderr.write(text));
    this.url = await new Promise((resolve, reject) => {
      this.child.on("exit", (code) => reject(new Error(`enact serve ended with ${code}: ${said}`)));
      this.child.stdout.on("data", (text) => {
        said += text;
        const found = /http:\/\/(\S+)/.exec(said);
        if (found) resolve(found[0]);
      });
    });
    this.bind = this.url.replace("http://", "");
    return this;
  }

  /** Ends it without a word. */
  async kill() {
    const ended = new Promise((resolve) => this.child.removeAllListeners("exit").once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }

  /** @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers] */
  async call(path, body, headers = {}) {
    const answer = await fetch(this.url + path, body === undefined ? { headers } : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
  }

  /** Begins the example's scene. @param {Record<string, unknown>} [more] of its config */
  async scene(more = {}) {
    const { scenes } = await this.call("/v1/project");
    const { config, sheets } = scenes[0];
    const { runId } = await this.call("/v1/scenes", { config: { seed: 7, ...config, ...more }, sheets });
    return runId;
  }

  /** Waits until a run is over. @param {string} run */
  async finished(run) {
    await this.call(`/v1/runs/${run}/events`);
    return run;
  }
}
