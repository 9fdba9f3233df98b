import { expect, it } from "vitest";
import { check } from "./check.ts";
import { evaluate } from "./evaluate.ts";
import { numberText } from "./evaluate/texts.ts";
import { timeText } from "./evaluate/times.ts";
import { functionTable } from "./functions.ts";
import { calledNames, type Expression, operatorNames } from "./tree.ts";

function shown(text: string): string | null {
  const { tree, errors } = check(text, []);
  if (tree === undefined) return errors.map(({ message }) => message).join(" ");
  const value = evaluate(tree, () => null);
  if (value === null) return "no value";
  if (tree.type === "time") return timeText(Number(value), tree.day);
  return typeof value === "number" ? numberText(value) : String(value);
}

const names = (tree: Expression): string[] => (tree.kind === "call" ? [tree.name, ...tree.args.flatMap(names)] : []);

it("each function and each operator is described once", () => {
  expect(functionTable.map(({ name }) => name).toSorted()).toEqual([...operatorNames, ...calledNames].toSorted());
});

it.each(functionTable)("the example of $name, $example, gives $gives", ({ name, example, gives }) => {
  expect(shown(example)).toBe(gives);
  const { tree } = check(example, []);
  expect(tree && names(tree)).toContain(name);
});

it("descriptions are sentences", () => {
  expect(functionTable.filter(({ description }) => !/^[A-Za-z-].*\.$/.test(description))).toEqual([]);
});
