// @ts-check
// `npm run build`: builds what has changed since the last build, and prints how much JavaScript each screen loads. Warns of parts
// that have nearly reached their budget.
//   --force          builds everything
//   --keep-budgets   fails if a page, a screen or an island exceeds its budget
//   --clients        builds the server and the clients alone, whose types the checks of types need
import { join } from "node:path";
import { ensureBuilt, ensureClientsBuilt } from "./lib/build.mjs";
import { budgetWarnings, checkBudgets, inKb, measureParts } from "./lib/bundle-budget.mjs";
import { checkout } from "./lib/checkout.mjs";
import { Failure } from "./lib/failure.mjs";
import { ensureInstalled } from "./lib/install.mjs";

const webApp = join(checkout, "web/dist");
try {
  if (process.argv.includes("--clients")) {
    await ensureInstalled((line) => console.log(line), { forTests: true });
    await ensureClientsBuilt((line) => console.log(line));
  } else await buildAll();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function buildAll() {
  await ensureBuilt((line) => console.log(line), { always: process.argv.includes("--force") });
  const parts = await measureParts(webApp);
  console.log("JavaScript of the pages, of each screen, and of what is loaded on its first use (gzip), and its budget:");
  for (const { name, kind, own, limit } of parts)
    console.log(`${inKb(own).padStart(9)} ${inKb(limit).padStart(9)}  ${kind.padEnd(6)}  ${name}`);
  for (const line of budgetWarnings(parts)) console.warn(`Nearly at its budget: ${line}`);
  if (process.argv.includes("--keep-budgets")) checkBudgets(parts);
}
