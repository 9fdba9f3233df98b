// @ts-check
// A process of `npm run dev` that becomes the server: loads the packages of the gateway, which no save changes, and then waits for the
// path of the program to run.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "./checkout.mjs";

const asked = once(process, "message");
const exit = () => process.exit(0);
process.once("disconnect", exit);

if (process.argv.includes("--preload")) {
  const { dependencies } = JSON.parse(await readFile(join(checkout, "gateway/package.json"), "utf8"));
  // Some have no module to load by their name alone, and no other package misses them here.
  for (const name of Object.keys(dependencies)) await import(name).catch(() => undefined);
}
const [program] = await asked;
process.off("disconnect", exit);
await import(pathToFileURL(program).href);
