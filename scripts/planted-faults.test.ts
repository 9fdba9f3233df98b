import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { faults } from "./planted-faults/faults.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

it("finds the text of each fault exactly once in its file", () => {
  const wrong = faults.filter(({ file, from, to }) => {
    const path = join(root, file);
    return from === to || !existsSync(path) || readFileSync(path, "utf8").split(from).length !== 2;
  });
  expect(wrong.map(({ name, file, from }) => ({ name, file, from }))).toEqual([]);
});

it("names each fault once, without a full stop", () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.filter(({ name }) => !/^\S.*[^.\s]$/.test(name)).map(({ name }) => name)).toEqual([]);
});

it("lists only existing tests for each fault", () => {
  const isTest = (file: string) => /\.(?:test\.tsx?|e2e\.ts)$/.test(file) && existsSync(join(root, file));
  expect(faults.filter(({ tests }) => tests.length === 0 || !tests.every(isTest)).map(({ name }) => name)).toEqual([]);
});

// After changing the list: npx vitest run scripts/planted-faults.test.ts --update
it("the document lists every fault with its tests", async () => {
  const introduction =
    "# Planted faults\n\n" +
    "A passing test proves little until it has failed for the right reason. `scripts/planted-faults/` lists plausible mistakes, each in " +
    "one file, with the tests that have to catch it. `npm run test:faults` first runs those tests on the unchanged code. It then plants " +
    "one fault after the other, runs its tests, expects one of them to fail, and restores the file, also on Ctrl+C. " +
    "`npm run test:faults -- exports` selects the faults with that text in their name or file. A fault whose file cannot be loaded does " +
    "not count as caught, because types and lint find those. The working tree must be clean.\n\n" +
    "A surviving fault shows that a test is missing: write it, and remove the fault only if the code behaves the same with it. " +
    "`scripts/planted-faults.test.ts` fails when the code of a fault is rewritten: adapt the fault, run it by its name, and update " +
    "this list with `npx vitest run scripts/planted-faults.test.ts --update`.\n\n" +
    `Last run: ${lastRun}.\n`;
  const areas = [...new Set(faults.map(({ file }) => areaOf(file)))].toSorted();
  const list = areas.map((area) => {
    const own = faults.filter(({ file }) => areaOf(file) === area);
    const lines = own.map(({ name, tests }) => `- ${name}: ${tests.map((file) => `\`${basename(file)}\``).join(", ")}\n`);
    return `\n## ${area}\n\n${lines.join("")}`;
  });
  await expect(introduction + list.join("")).toMatchFileSnapshot(join(root, "docs/planted-faults.md"));
});

const lastRun = "22 November 2026, each of the 188 faults separately: all caught, about 75 minutes on a busy machine";

/** The folder under which a fault is listed. */
function areaOf(file: string): string {
  const [area] = /^(?:gateway\/src\/capabilities|web\/src\/features\/search|web\/src\/(?:features|parts))\/[^/]+(?=\/)/.exec(file) ?? [];
  return (
    area ??
    file
      .split("/")
      .slice(0, 3)
      .join("/")
      .replace(/\/[^/]+\.tsx?$/, "")
  );
}
