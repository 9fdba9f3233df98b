import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parserSources } from "../expressions/make-parser.mjs";

it("the parser of formulas is the one that its grammar makes", async () => {
  const folder = join(import.meta.dirname, "../expressions/src/grammar");
  for (const [name, source] of Object.entries(await parserSources()))
    expect(await readFile(join(folder, name), "utf8"), `Run node expressions/make-parser.mjs: ${name} is of another grammar.`).toBe(source);
});
