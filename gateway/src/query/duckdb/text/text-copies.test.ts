import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Findings, type LineFindings, TextCopies } from "./text-copies.ts";

async function* conversion(...texts: readonly string[]): AsyncGenerator<string, LineFindings> {
  yield* texts;
  return new Findings().all;
}

it("removes the parts of copies that a killed process was writing, and nothing else", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "fairway-copies-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const copies = new TextCopies(folder, 1_000);
  const copy = await copies.get("a.csv", "1", "csv", () => conversion("a,b"));
  const names = async () => (await readdir(folder)).toSorted();
  const whole = await names();
  for (const ending of ["part", "part.json"]) await writeFile(path.join(folder, `b.csv.1.${ending}`), "a,");
  await copies.removeUnfinished();
  expect(await names()).toEqual(whole);
  expect(whole).toEqual([path.basename(copy.path), `${path.basename(copy.path)}.json`]);
});
