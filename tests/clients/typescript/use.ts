// A client that was generated from the served document, used as its users would.

import assert from "node:assert/strict";
import { test } from "node:test";

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";
import { formats, scene } from "./types.js";

type Schemas = components["schemas"];

const { ENACT_URL: baseUrl, ENACT_TOKEN: token } = process.env;
assert(baseUrl && token, "ENACT_URL and ENACT_TOKEN say where the server is and what it takes");
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const stranger = createClient<paths>({ baseUrl });

const late: Schemas["SceneConfig"] = {
  ...scene,
  prompt: "Bob apologizes to Alice for being late. Alice accepts.",
  initialSpeaker: "bob",
  seed: 7,
};

/** What was asked for, or an error that says what was wrong. */
function good<T>({ data, error }: { data?: T; error?: Schemas["ErrorResponse"] }): T {
  assert(data !== undefined, error?.error.message);
  return data;
}

async function play(config: Schemas["SceneConfig"]): Promise<string> {
  return good(await client.POST("/v1/scenes", { body: { config } })).runId;
}

/** The events of a run, up to its end. */
async function* follow(id: string): AsyncGenerator<Schemas["LogEvent"]> {
  const { response } = await client.GET("/v1/runs/{id}/events", { params: { path: { id } }, parseAs: "stream" });
  assert(response.body);
  let rest = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      if (field("event") === "end") return;
      const data = field("data");
      if (field("id") !== undefined && data !== undefined) yield JSON.parse(data);
    }
  }
  assert.fail("the stream ended before the run");
}

async function played(config: Schemas["SceneConfig"]): Promise<string> {
  const id = await play(config);
  const kinds: string[] = [];
  let next = 0;
  for await (const event of follow(id)) {
    assert.equal(event.seq, next++);
    kinds.push(event.kind);
  }
  assert(kinds.includes("line_added") && kinds.at(-1) === "ended", kinds.join());
  return id;
}

test("a scene is started, followed, listed, read and forked", async () => {
  const id = await played(late);
  const path = { id };

  const page = good(await client.GET("/v1/runs", { params: { query: { status: ["playing", "finished"], production: "scene" } } }));
  const run: Schemas["Run"] | undefined = page.runs.find((run) => run.runId === id);
  assert.equal(run?.status, "finished");
  assert.equal(run.production, "scene");

  const details = good(await client.GET("/v1/runs/{id}", { params: { path } }));
  assert(details.production === "scene");
  assert.equal(details.metadata?.characterCount, 2);

  const result = good(await client.GET("/v1/runs/{id}/result", { params: { path } }));
  assert(result.production === "scene" && result.success);
  assert.equal(result.metadata.runId, id);
  assert.equal(result.outputPath, `/v1/runs/${id}/`);
  assert.match(result.transcript, /^SCENE: Late\n/);

  for (const format of Object.keys(formats) as (keyof typeof formats)[]) {
    const params = { path, query: { format } };
    const { data, response } = await client.GET("/v1/runs/{id}/transcript", { params, parseAs: "text" });
    assert.equal(response.status, 200, format);
    if (format === "txt") assert.equal(data, result.transcript);
    if (format === "metadata") assert.deepEqual(JSON.parse(String(data)), result.metadata);
    if (format === "json") {
      const times = JSON.parse(String(data)).lines.map((line: { at: number }) => line.at);
      assert(times.length > 0 && times.every((at: number) => at >= Date.parse(result.metadata.startedAt)));
    }
  }

  const costs = good(await client.GET("/v1/runs/{id}/costs", { params: { path } }));
  assert.equal(costs.status, "finished");
  assert.equal(typeof costs.costs.byCharacter["alice"]?.calls, "number");

  const fork = good(await client.POST("/v1/runs/{id}/fork", { params: { path }, body: { beat: 0 } }));
  for await (const event of follow(fork.runId)) assert(event.at > 0);
  const forked = good(await client.GET("/v1/runs/{id}", { params: { path: { id: fork.runId } } }));
  assert.equal(forked.parent, id);
});

test("a scene is steered", async () => {
  const id = await play({ ...late, name: "steered", maxBeats: 1000 });
  const params = { path: { id } };
  // Before it is played or while it is: commands count in the order in which they were posted.
  const pause = good(await client.POST("/v1/runs/{id}/pause", { params }));
  const note = good(await client.POST("/v1/runs/{id}/notes", { params, body: { to: "bob", text: "You lie." } }));
  assert(note.commandId > pause.commandId);
  good(await client.POST("/v1/runs/{id}/world-events", { params, body: { text: "The lights go out." } }));
  good(await client.POST("/v1/runs/{id}/step", { params }));
  good(await client.POST("/v1/runs/{id}/commands", { params, body: { command: "cancel" } }));
  const kinds: string[] = [];
  for await (const event of follow(id)) kinds.push(event.kind);
  assert(kinds.includes("paused") && kinds.includes("noted"), kinds.join());
  const result = good(await client.GET("/v1/runs/{id}/result", { params }));
  assert(result.production === "scene");
  assert.equal(result.metadata.reason, "cancelled");
});

test("a refusal says what is wrong, for people and programs", async () => {
  const wrong = await client.POST("/v1/scenes", { body: { config: { ...late, maxBeats: 0 } } });
  assert.equal(wrong.response.status, 422);
  assert.equal(wrong.error?.success, false);
  assert.equal(wrong.error.error.code, "INVALID_CONFIG");
  assert.deepEqual(wrong.error.error.context.provided, { ...late, maxBeats: 0 });

  const missing = await client.GET("/v1/runs/{id}/result", { params: { path: { id: "7" } } });
  assert.equal(missing.error?.error.code, "RUN_NOT_FOUND");
});

test("a chorus is told, and its audio is bytes", async () => {
  const agents = good(await client.GET("/v1/agents", {}));
  assert(agents);
  const body = { message: "What does rain sound like?", slots: [{ slotId: 1, agentId: "gpt-4o" }] };
  const chat = await client.POST("/v1/chat", { body, parseAs: "text" });
  const audioPath = /"audioPath":"([^"]*)"/.exec(chat.data ?? "")?.[1];
  const session = /"sessionId":"([^"]*)"/.exec(chat.data ?? "")?.[1];
  assert(audioPath && session, chat.data);

  const params = { path: { path: audioPath } };
  const audio = await client.GET("/v1/audio/{path}", { params, parseAs: "arrayBuffer" });
  assert(audio.data);
  assert.equal(new TextDecoder().decode(audio.data.slice(0, 4)), "RIFF");

  const result = good(await client.GET("/v1/runs/{id}/result", { params: { path: { id: session } } }));
  assert(result.production === "chorus" && result.success);
  assert.equal(result.metadata.completedSlots, 1);
});

test("what needs no token can be asked without one", async () => {
  const health = await stranger.GET("/v1/health", {});
  assert.equal(health.data?.ready, true);
  const runs = await stranger.GET("/v1/runs", {});
  assert.equal(runs.error?.error.code, "UNAUTHORIZED");
});
