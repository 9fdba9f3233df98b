import { readFileSync, readdirSync } from "node:fs";
import { join, resolve, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "oxc-parser";
import { analyse } from "scslre";
import { describe, expect, it } from "vitest";
import { regexes } from "zod";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

interface Pattern {
  readonly location: string;
  readonly source: string;
  readonly flags: string;
}

/** Built at run time, so they cannot be analyzed from source; each was reviewed by hand. */
const builtAtRunTime: Readonly<Record<string, string>> = {
  "contract/src/text.ts": "constant parts; looks back over marks, in at most 2,000 characters",
  "gateway/src/capabilities/api-keys/value.ts": "a constant prefix and 43 characters, anchored",
  "gateway/src/query/duckdb/text/geojson.ts": "constant parts: numbers between commas and brackets, each character in one place",
  "gateway/src/query/duckdb/text/json-rows.ts": "constant parts: numbers between commas and brackets, at most 500 lists of four; anchored",
  "gateway/src/query/duckdb/text/number-forms.ts": "constant parts; texts of at most 100 characters",
  "gateway/src/query/duckdb/text/place-columns.ts": "constant parts, anchored; shapes of at most 100 characters",
  "gateway/src/query/duckdb/text/time-forms.ts": "constant parts from a table of forms, anchored; no repeated group",
  "web/src/lib/text/find-text.ts": "escaped text: no quantifier",
  "web/src/parts/file-preview/notebook/notebook.ts": "a constant: digits and semicolons between an escape character and a letter",
  "web/src/shell/palette/palette-match.ts": "escaped words: no quantifier",
};

const sources = ["contract", "expressions", "gateway", "web"].flatMap((name) =>
  readdirSync(join(root, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("testing/"))
    .map((file) => join(name, "src", file)),
);

const { patterns, constructed } = readPatterns();

function readPatterns() {
  const found: Pattern[] = [];
  const built = new Set<string>();
  for (const file of sources) {
    const text = readFileSync(join(root, file), "utf8");
    const isRegExp = (callee: { type: string }) => callee.type === "Identifier" && "name" in callee && callee.name === "RegExp";
    const { program } = parseSync(file, text);
    new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const line = text.slice(0, node.start).split("\n").length;
        found.push({ location: `${file}:${line}`, source: node.regex.pattern, flags: node.regex.flags });
      },
      NewExpression: ({ callee }) => void (isRegExp(callee) && built.add(file)),
      CallExpression: ({ callee }) => void (isRegExp(callee) && built.add(file)),
    }).visit(program);
  }
  return { patterns: found, constructed: built };
}

const isSuperLinear = ({ source, flags }: Omit<Pattern, "location">): boolean => analyse({ source, flags }).reports.length > 0;

describe("regular expressions", () => {
  it("take linear time on any text in all sources of contract, expressions, gateway and web app", () => {
    const slow = patterns.filter(isSuperLinear);
    expect(patterns.length).toBeGreaterThan(150);
    const advice =
      "Two parts of the pattern can match the same text: anchor it, exclude from one what the other begins with, or read the text in steps.";
    expect(slow, advice).toEqual([]);
  });

  it("built at run time are all listed", () => {
    const listed = Object.keys(builtAtRunTime);
    const advice = "Write the pattern as a literal, which this test checks; if that cannot be, say in builtAtRunTime why it is fast.";
    expect([...constructed].filter((file) => !listed.includes(file)).toSorted(), advice).toEqual([]);
    expect(
      listed.filter((file) => !constructed.has(file)),
      "Remove these from builtAtRunTime: they build no pattern.",
    ).toEqual([]);
  });

  it("of zod's text formats take linear time", () => {
    const { datetime, email, uuid } = regexes;
    const used = { datetime: datetime({ offset: false }), datetimeWithOffset: datetime({ offset: true }), email, uuid: uuid() };
    for (const [location, { source, flags }] of Object.entries(used))
      expect({ location, slow: isSuperLinear({ source, flags }) }).toEqual({ location, slow: false });
  });

  it.each([
    ["two quantifiers that share digits", String.raw`^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$`, "i"],
    ["the same with a bounded exponent", String.raw`^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$`, "i"],
    ["a trailing run that is tried at every position", String.raw`\/+$`, ""],
    ["a nested quantifier", "^(a+)+$", ""],
  ])("with %s are detected as slow", (_, source, flags) => {
    expect(isSuperLinear({ source, flags })).toBe(true);
  });
});
