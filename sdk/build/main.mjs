// @ts-check
// Generates the types of the clients and packs the tools into sdk/dist. The server is compiled before.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildTools } from "./build-tools.mjs";
import { generatedTypes } from "./generated-types.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
for (const [path, text] of Object.entries(generatedTypes())) {
  if ((await readFile(join(root, path), "utf8")) !== text) await writeFile(join(root, path), text);
}
await buildTools({ compiled: join(root, ".build/sdk"), output: join(root, "sdk/dist") });
