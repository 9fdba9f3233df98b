import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkout } from "./lib/checkout.mjs";

const columns = 7;

/** Rows of the first table of a page, without its head and its headings. */
async function proofsOf(page: string): Promise<Record<"what" | "command" | "date" | "commit" | "figure" | "target" | "verdict", string>[]> {
  const text = await readFile(join(checkout, page), "utf8");
  const lines = text
    .slice(text.indexOf("\n|"))
    .split("\n")
    .filter((line, index, all) => line.startsWith("|") && all.slice(1, index).every((one) => one.startsWith("|")));
  const rows = lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(rows.filter((cells) => cells.length !== columns)).toEqual([]);
  return rows
    .filter(([what = ""]) => !what.startsWith("**"))
    .map(([what = "", command = "", date = "", commit = "", figure = "", target = "", verdict = ""]) => ({
      what,
      command,
      date,
      commit,
      figure,
      target,
      verdict,
    }));
}

/** A † marks the commit that wrote a figure down, where the measured one is not known. */
const isCommit = (text: string): boolean => text.split(", ").every((one) => /^[0-9a-f]{7,40}†?$/.test(one));
const isDate = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text);

it.each([
  ["docs/performance.md", /^(?:–|met\b.*|\*\*missed\*\*.*|not measured .*)$/, 50],
  ["docs/reliability.md", /^(?:held|\*\*broken\*\*: .*|\*\*partly\*\*: .*)$/, 1],
])("every figure of %s has a command, a date, a commit and a verdict", async (page, verdicts, least) => {
  const proofs = await proofsOf(page);
  expect(proofs.length).toBeGreaterThan(least);
  const undated = proofs.filter(({ figure, date, commit }) => figure !== "–" && !(isDate(date) && isCommit(commit)));
  expect(undated, "Write the date and the commit that was measured next to each figure.").toEqual([]);
  expect(proofs.filter(({ command, verdict }) => command === "" || !verdicts.test(verdict))).toEqual([]);
});
