// What must hold of the generated types: this file only has to compile, and every `@ts-expect-error` in it has to be one.

import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

/** What has a default may be left out of a request. */
export const scene: Schemas["SceneConfig"] = { name: "late", prompt: "Bob is late.", characters: ["alice", "bob"] };

/** And what is required may not. */
// @ts-expect-error: a scene without characters
export const nobody: Schemas["SceneConfig"] = { name: "late", prompt: "Nobody is there." };

// @ts-expect-error: a key that no scene has
export const unknown: Schemas["SceneConfig"] = { ...scene, promt: "Bob is late." };

export const malformed: NonNullable<Schemas["SceneConfig"]["onMalformed"]>[] = ["salvage", "retry", "ignore"];

/** Choices are choices. */
type RunsQuery = NonNullable<paths["/v1/runs"]["get"]["parameters"]["query"]>;
export const query: RunsQuery = { status: ["waiting", "finished"], production: "scene", limit: 2 };
// @ts-expect-error: no run sleeps
export const asleep: RunsQuery = { status: ["asleep"] };
// @ts-expect-error: no production of this server
export const ballet: RunsQuery = { production: "ballet" };

type Format = NonNullable<NonNullable<paths["/v1/runs/{id}/transcript"]["get"]["parameters"]["query"]>["format"]>;
export const formats: Record<Format, true> = {
  txt: true, md: true, json: true, fountain: true, vtt: true, metadata: true, debug: true, html: true,
};

/** The production tells which shape the metadata has. */
export function achieved(run: Schemas["RunDetails"]): boolean | number | undefined {
  switch (run.production) {
    case "scene":
      return run.metadata?.goalAchieved;
    case "chorus":
      return run.metadata?.completedSlots;
  }
}

/** What an answer always has needs no question mark, and what it leaves out is never null. */
export function parentOf(run: Schemas["Run"]): string {
  const { status, reason } = run;
  const open: boolean = status !== "finished" && reason === null;
  const parent: string | undefined = run.parent;
  return `${open} ${parent ?? "none"}`;
}

/** A result has the shape of the requirements. */
export interface SceneResult {
  success: boolean;
  transcript: string;
  metadata: {
    name: string;
    duration: number;
    totalBeats: number;
    characterCount: number;
    goalAchieved: boolean;
    costs?: { totalTokens: number | null; estimatedUSD: number | null };
  };
  outputPath: string;
}
export const result = (result: Schemas["SceneResult"]): SceneResult => result;

/** And so has a refusal. */
export interface SceneError {
  success: boolean;
  error: { code: string; message: string; context: { provided?: unknown } };
}
export const refusal = (refusal: Schemas["ErrorResponse"]): SceneError => refusal;
