// @ts-check
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../lib/checkout.mjs";

/** The page with one row for each command. */
export const commandsPage = "docs/commands.md";

/** Commands that documents name within a sentence, by their programs. */
const named = /^(?:[A-Z_]+=\S+ )?(?:npm|npx|node|git|docker|podman|helm|kubectl|openssl|aws|curl) [^\s…]/;

/** A variable and its value: a setting, which a table of the operator guide describes. */
const assignment = /^[A-Z_]+=("[^"]*"|'[^']*'|\S*)$/;

/** @typedef {{ command: string, document: string }} Documented */

/** Pages whose commands are not listed: the list itself, and that of commands that were run, with their results. */
const leftOut = new Set([commandsPage, "docs/reliability.md"]);

/** The documents whose commands are listed: all that people follow, but no history. */
async function documents() {
  const pages = (await readdir(join(checkout, "docs"))).filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`);
  return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md", ...pages.filter((page) => !leftOut.has(page))];
}

/**
 * The commands of a document: lines of its blocks `sh`, without comments, and what it names within a sentence.
 * @param {string} text
 * @returns {string[]}
 */
export function commandsOf(text) {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash|shell|console)\n([^]*?)^ *```/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n")).map((line) => line.replace(/\s+# .*$/, "").trim());
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, "");
  const spans = [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)]
    .map(([, span = ""]) => span.replaceAll(/\s+/g, " "))
    .filter((span) => named.test(span));
  return [...new Set([...lines.filter((line) => line !== "" && !assignment.test(line)), ...spans])];
}

/** @returns {Promise<Documented[]>} */
export async function documentedCommands() {
  const all = await Promise.all(
    (await documents()).map(async (document) =>
      commandsOf(await readFile(join(checkout, document), "utf8")).map((command) => ({ command, document })),
    ),
  );
  return all.flat();
}

/** @typedef {{ command: string, runBy: string, how: string }} Row `runBy`: a piece of the night, `npm test`, or – */

/** @returns {Promise<Row[]>} */
export async function commandRows() {
  const text = await readFile(join(checkout, commandsPage), "utf8");
  return [...text.matchAll(/^\| `([^`]+)` +\| ([^|]*?) +\| ([^|]*?) *\|$/gm)].map(([, command = "", runBy = "", how = ""]) => ({
    command,
    runBy,
    how,
  }));
}
