// @ts-check
// `node expressions/make-parser.mjs`: makes expressions/src/grammar/parser.ts and parser.terms.ts of expression.grammar.
import { readFile, writeFile } from "node:fs/promises";
import { buildParserFile } from "@lezer/generator";

const folder = new URL("src/grammar/", import.meta.url);

/** The generated sources, by their names. @returns {Promise<Record<string, string>>} */
export async function parserSources() {
  const grammar = await readFile(new URL("expression.grammar", folder), "utf8");
  const { parser, terms } = buildParserFile(grammar, { fileName: "expression.grammar", typeScript: true, moduleStyle: "es" });
  return { "parser.ts": parser, "parser.terms.ts": terms };
}

if (process.argv[1] === import.meta.filename)
  for (const [name, source] of Object.entries(await parserSources())) await writeFile(new URL(name, folder), source);
