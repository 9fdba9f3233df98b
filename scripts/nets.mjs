// @ts-check
// `npm run nets`: pictures, accessibility trees and calls of every state of the screens, and how long test files took, of any
// commit, and what differs between two. All of it is below .build/nets; nothing is stored.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBrowser } from "./lib/browser.mjs";
import { checkout } from "./lib/checkout.mjs";
import { ensureInstalled } from "./lib/install.mjs";

const help = `npm run nets -- make [COMMIT…]     makes the nets; without a commit, those of the working tree
npm run nets -- compare A [B]      makes what is missing and says what differs; without B, from the working tree
  --only=PATTERN                   only states whose name matches the regular expression
  --again                          also makes what there is already
  --own-states                     the states as each commit defines them; otherwise those of this checkout, for all
  --report=FOLDER                  with make: times of test files from the reports of a run of npm test in FOLDER
                                   (default for the working tree: .build)`;

const { command, names, options } = readArguments();
await ensureInstalled((line) => console.log(line), { forTests: true });
// Need packages.
const { makeNets } = await import("./nets/make-nets.mjs");
const { compareNets } = await import("./nets/compare-nets.mjs");
const { compareTimes } = await import("./nets/times.mjs");
const { nameOf, netsFolder, workingTree } = await import("./nets/checkouts.mjs");

const browser = ensureBrowser();
if (browser !== undefined) process.env["FAIRWAY_BROWSER"] = browser;
process.exitCode = command === "make" ? await make() : await compare();

async function make() {
  let failures = 0;
  for (const name of names.length === 0 ? [workingTree] : names) failures += await makeNets(nameOf(name), { ...options, again: true });
  return failures === 0 ? 0 : 1;
}

async function compare() {
  const [before = "", after = workingTree] = names.map(nameOf);
  for (const name of [before, after]) await makeNets(name, options);
  const found = compareNets(join(netsFolder, before), join(netsFolder, after), { only: options.only });
  for (const { state, text } of found.differences) console.log(`✗ ${state}: ${text}`);
  for (const line of timesOf(before, after)) console.log(line);
  console.log(`${found.states} states of ${before} and ${after}: ${found.pictures} pictures, ${found.texts} trees and logs compared.`);
  console.log(found.differences.length === 0 ? "No difference." : `${found.differences.length} differences.`);
  return found.differences.length === 0 ? 0 : 1;
}

/**
 * @param {string} before
 * @param {string} after
 */
function timesOf(before, after) {
  const [one, other] = [before, after].map((name) => join(netsFolder, name, "times.json"));
  if (one === undefined || other === undefined || !existsSync(one) || !existsSync(other)) return [];
  return compareTimes(JSON.parse(readFileSync(one, "utf8")), JSON.parse(readFileSync(other, "utf8")));
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: "string", default: "" },
        again: { type: "boolean", default: false },
        "own-states": { type: "boolean", default: false },
        report: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    const [command, ...names] = positionals;
    const { only, again, "own-states": ownStates, report } = values;
    if (!values.help && (command === "make" || (command === "compare" && names.length > 0 && names.length < 3)))
      return { command, names, options: { only, again, ownStates, ...(report === undefined ? {} : { report: join(checkout, report) }) } };
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
  console.log(help);
  return process.exit(process.argv.includes("--help") ? 0 : 2);
}
