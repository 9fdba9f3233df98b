import * as fc from "fast-check";
import { expect, it } from "vitest";
import { check } from "./check.ts";
import { evaluate } from "./evaluate.ts";
import { functionTable } from "./functions.ts";
import { print } from "./print.ts";
import { anyFormula, formulaColumns } from "./testing/random-formulas.ts";

const pieces = [
  ...functionTable.map(({ name }) => name),
  ...formulaColumns.map(({ name }) => name),
  ..."( ) , ( ) , = <> < <= ' '' \" [ ] [[ ]] ; -- /* */ \\ \0 \n 😀 \ud800 1 0.5 1e5 .5 1. 99999999999999999999 null true 'a' 'UTC' 'day' \"Airport Name\" when then else end".split(
    " ",
  ),
];

/** Formulas, formulas with a piece changed, pieces in any order, and characters in any order. */
const texts = fc.oneof(
  anyFormula,
  fc
    .tuple(anyFormula, fc.nat(), fc.nat({ max: 12 }), fc.constantFrom(...pieces))
    .map(([text, at, length, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + length)),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(" ")),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 100 }),
);

it("any text gives a tree that is printed and read again, or errors with places in the text", () => {
  let formulas = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const { tree, errors = [] } = check(text, formulaColumns);
      expect(tree === undefined).toBe(errors.length > 0);
      const isSentence = (message: string) => /\S[.!?]$/.test(message);
      const wrong = errors.filter(({ from, to, message }) => !(from >= 0 && from <= to && to <= text.length && isSentence(message)));
      expect(wrong, text).toEqual([]);
      if (tree === undefined) return;
      formulas += 1;
      evaluate(tree, () => null);
      const again = check(print(tree), formulaColumns);
      expect(again.tree && print(again.tree), text).toBe(print(tree));
    }),
    { numRuns: 100_000 },
  );
  expect(formulas).toBeGreaterThan(10_000);
}, 600_000);
