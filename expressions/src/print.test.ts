import * as fc from "fast-check";
import { expect, it } from "vitest";
import { check } from "./check.ts";
import { print, printName } from "./print.ts";
import { anyFormula, formulaColumns } from "./testing/random-formulas.ts";
import type { Expression } from "./tree.ts";

/** A tree without the places of its parts. */
const shapeOf = (tree: Expression): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === "span" ? undefined : typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : value,
    ),
  );

const treeOf = (text: string): Expression | undefined => check(text, formulaColumns).tree;

it.each([
  ["((n + 1) * 2)", "(n + 1) * 2"],
  ["n - (n - 1) - 1", "n - (n - 1) - 1"],
  ["IF( b , 'it''s' , S )", "if(b, 'it''s', s)"],
  ["[end] and (b or not (b))", '"end" and (b or not b)'],
  ["not (n in (1, 2))", "n not in (1, 2)"],
  ["not (s is null)", "s is not null"],
  ["(n between 1 and 2) = (n not between 3 and 4)", "n between 1 and 2 = (n not between 3 and 4)"],
  ["- (5)", "-5"],
  ["-(-(5))", "5"],
  ["-(n) * -(n + 1)", "-n * -(n + 1)"],
  ["case WHEN b then 1 else 2.50 end", "case when b then 1 else 2.50 end"],
  ["[airport name] || größe", undefined],
  ['"Airport Name" || text(größe)', '"Airport Name" || text(größe)'],
])("%s is printed as %s", (text, printed) => {
  const tree = treeOf(text);
  expect(tree && print(tree)).toBe(printed);
});

it("names are quoted where they do not read as names", () => {
  expect(["delay", "日付", "_a1", "1a", "a b", 'q"q', "NULL", "order", ""].map(printName)).toEqual([
    "delay",
    "日付",
    "_a1",
    '"1a"',
    '"a b"',
    '"q""q"',
    '"NULL"',
    "order",
    '""',
  ]);
});

it("a printed tree is read as the same tree", () => {
  let read = 0;
  fc.assert(
    fc.property(anyFormula, (text) => {
      const { tree, errors = [] } = check(text, formulaColumns);
      const wrong = errors.filter(({ message }) => !/A formula has at most|may be nested/.test(message));
      expect(wrong, text).toEqual([]);
      if (tree === undefined) return;
      read += 1;
      const printed = print(tree);
      const again = treeOf(printed);
      expect(again && shapeOf(again), `${text} was printed as ${printed}`).toEqual(shapeOf(tree));
    }),
    { numRuns: 1_500 },
  );
  expect(read).toBeGreaterThan(1_000);
});
