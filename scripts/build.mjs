// @ts-check
// `npm run build`: what changed since the last build; with --force everything.
import { ensureBuilt } from "./lib/build.mjs";
import { Failure } from "./lib/failure.mjs";

try {
  await ensureBuilt((line) => console.log(line), { always: process.argv.includes("--force") });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
