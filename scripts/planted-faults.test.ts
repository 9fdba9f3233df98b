import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { faults } from "./planted-faults/faults.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const capabilities = "gateway/src/capabilities";

it("plants each fault at the one place where its text stands", () => {
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

it("expects tests that exist to notice each fault", () => {
  const isTest = (file: string) => /\.(?:test\.tsx?|e2e\.ts)$/.test(file) && existsSync(join(root, file));
  expect(faults.filter(({ tests }) => tests.length === 0 || !tests.every(isTest)).map(({ name }) => name)).toEqual([]);
});

it("plants a fault in every capability", () => {
  const areas = new Set(faults.map(({ file }) => areaOf(file)));
  expect(readdirSync(join(root, capabilities)).filter((name) => !areas.has(`${capabilities}/${name}`))).toEqual([]);
});

// After a change of the list: npx vitest run scripts/planted-faults.test.ts --update
it("the document lists every fault with its tests", async () => {
  const introduction =
    "# Planted faults\n\n" +
    "A test that passes proves little until it has failed for the right reason. `scripts/planted-faults/` lists mistakes that a person " +
    "could make, each in one file, with the tests that have to notice it. `npm run test:faults` first runs those tests as they are; then " +
    "it plants one fault after the other, runs its tests, expects one of them to fail, and puts the file back, also on Ctrl+C. " +
    "`npm run test:faults -- exports` takes only the faults with that text in their name or file. A fault whose file does not even load " +
    "is not caught: types and lint find those. It needs a working tree without changes.\n\n" +
    "A fault that survives shows a test that is missing: write it, and do not drop the fault unless the code behaves the same with it. " +
    "When code that a fault names is rewritten, `scripts/planted-faults.test.ts` says so; adapt the fault, run it by its name, and renew " +
    "this list by `npx vitest run scripts/planted-faults.test.ts --update`.\n\n" +
    `Last whole run: ${lastRun}.\n`;
  const areas = [...new Set(faults.map(({ file }) => areaOf(file)))].toSorted();
  const list = areas.map((area) => {
    const own = faults.filter(({ file }) => areaOf(file) === area);
    const lines = own.map(({ name, tests }) => `- ${name}: ${tests.map((file) => `\`${basename(file)}\``).join(", ")}\n`);
    return `\n## ${area}\n\n${lines.join("")}`;
  });
  await expect(introduction + list.join("")).toMatchFileSnapshot(join(root, "docs/planted-faults.md"));
});

const lastRun = "none yet";

/** The folder below which a fault is listed. */
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
