import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { checkout } from "./lib/checkout.mjs";

const { scripts } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8")) as { scripts: Record<string, string> };
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (\S+\.mjs)/.exec(command) ?? [];
  return file === undefined ? [] : [{ name, file }];
});
/** They run the portal only, or build it with the packages that it needs. */
const withoutTests = new Set(["start", "start:production", "fairway", "build"]);

/** The files that are loaded before a program does anything, and the packages that they import. */
async function loadedAtOnce(file: string, seen = new Map<string, string[]>()): Promise<Map<string, string[]>> {
  if (seen.has(file)) return seen;
  const { staticImports, staticExports } = parseSync(file, await readFile(file, "utf8")).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
  ];
  seen.set(
    file,
    names.filter((name) => !/^(node:|\.)/.test(name)),
  );
  for (const name of names.filter((one) => one.startsWith("."))) await loadedAtOnce(join(dirname(file), name), seen);
  return seen;
}

it.each(programs)("npm run $name begins before any package is installed", async ({ file }) => {
  const packages = [...(await loadedAtOnce(join(checkout, file)))].filter(([, names]) => names.length > 0);
  expect(packages).toEqual([]);
});

it.each(programs.filter(({ name }) => !withoutTests.has(name)))("npm run $name installs the packages of tests", async ({ file }) => {
  const own = await readFile(join(checkout, file), "utf8");
  const text = own.includes("await runScenario(") ? await readFile(join(checkout, "scripts/harness/scenario.mjs"), "utf8") : own;
  expect(text).toMatch(/await ensureInstalled\([^;]*\{ forTests: true \}\);/);
});
