// The types of the API, made from the OpenAPI document of the binary: `--write` writes crates/enact-page/api.d.ts, without it
// they are compared. Run by `scripts/test-page`.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Server } from "./server.js";

const kept = fileURLToPath(new URL("../../crates/enact-page/api.d.ts", import.meta.url));
const HEADER = "// The types of the API, generated from its OpenAPI document by `scripts/test-page --types`. Never sent to browsers.\n";

const server = await new Server({ project: "the-apology" }).start();
const document = await server.call("/v1/openapi.json");
await server.stop();

const folder = mkdtempSync(join(tmpdir(), "enact-types-"));
const [source, made] = [join(folder, "openapi.json"), join(folder, "api.d.ts")];
writeFileSync(source, JSON.stringify(document));
execFileSync(join(process.env.PAGE_TOOLS ?? "", "node_modules/.bin/openapi-typescript"), [source, "-o", made], { stdio: ["ignore", "ignore", "inherit"] });
// What the document says in words is read there: here it would only make every change of a word a change of types.
const types = HEADER + readFileSync(made, "utf8").replace(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, "");
rmSync(folder, { recursive: true });

if (process.argv.includes("--write")) writeFileSync(kept, types);
else if (readFileSync(kept, "utf8") !== types) {
  console.error("crates/enact-page/api.d.ts is not what the OpenAPI document says: write it with `scripts/test-page --types`, and mend what tsc then finds");
  process.exit(1);
}
