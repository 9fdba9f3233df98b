// @ts-check
// `node bench/screen-scripts.mjs [FOLDER]`: the scripts that each screen of the built web app loads at its first visit, with what
// a view of it loads on its first use.
import { join } from "node:path";
import { inKb, measureParts } from "../scripts/lib/bundle-budget.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";

const smallBytes = 5_000;
/** Views that a screen opens with. */
const withIsland = [
  ["search/results/results-page", "search/map/map-view"],
  ["search/results/results-page", "search/graphs/graphs-view"],
];

const parts = await measureParts(process.argv[2] ?? join(checkout, "web/dist"));

/** @param {string} name */
function partNamed(name) {
  const part = parts.find((one) => one.name === name);
  if (part === undefined) throw new Error(`The web app has no ${name}.`);
  return part;
}

const screens = [
  ...parts.filter(({ kind }) => kind !== "island").map(({ name, all }) => ({ name, all })),
  ...withIsland.map((names) => ({
    name: names.join(" with "),
    all: [...new Map(names.flatMap((name) => partNamed(name).all.map((script) => [script.file, script]))).values()],
  })),
];
console.log("scripts  below 5 kB       gzip  screen");
for (const { name, all } of screens) {
  const small = all.filter(({ bytes }) => bytes < smallBytes).length;
  const bytes = all.reduce((sum, script) => sum + script.bytes, 0);
  console.log(`${String(all.length).padStart(7)} ${String(small).padStart(11)} ${inKb(bytes).padStart(10)}  ${name}`);
}
const files = new Set(parts.flatMap(({ all }) => all.map(({ file }) => file)));
console.log(`${files.size} scripts in all; ${parts.filter(({ kind }) => kind === "island").length} islands.`);
