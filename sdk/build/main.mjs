// @ts-check
// Generates the types of the clients and packs the tools into sdk/dist. The server is compiled before.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildTools } from "./build-tools.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
await buildTools({ compiled: join(root, ".build/sdk"), output: join(root, "sdk/dist") });
