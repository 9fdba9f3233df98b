// @ts-check
// `npm run build`: builds what has changed since the last build, and prints how much JavaScript each screen loads.
//   --force          builds everything
//   --keep-budgets   fails if a screen exceeds its budget
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { checkBudgets, measureScreens } from "./lib/bundle-budget.mjs";
import { checkout } from "./lib/checkout.mjs";
import { Failure } from "./lib/failure.mjs";

const webApp = join(checkout, "web/dist");
try {
  await ensureBuilt((line) => console.log(line), { always: process.argv.includes("--force") });
  const kB = (/** @type {number} */ bytes) => `${(bytes / 1_000).toFixed(0)} kB`.padStart(7);
  console.log("Initial JavaScript of each screen (gzip), and its budget:");
  for (const { screen, bytes, limit } of await measureScreens(webApp)) console.log(`${kB(bytes)} ${kB(limit)}  ${screen}`);
  if (process.argv.includes("--keep-budgets")) await checkBudgets(webApp);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
