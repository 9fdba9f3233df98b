import type { FunctionDescription, Parameter, Takes } from "./function-description.ts";
import type { OperatorName } from "./tree.ts";

type OperatorDescription = FunctionDescription & { readonly name: OperatorName; readonly does: string };

const values = (takes: Takes): readonly Parameter[] => [
  { name: "a", takes },
  { name: "b", takes },
];
const [numbers, conditions] = [values(["number"]), values(["boolean"])];

const sum = { group: "Numbers", parameters: numbers, result: "arithmetic" } as const;
const comparison = { group: "Conditions", result: "boolean" } as const;
const [equality, order] = [
  { ...comparison, parameters: values("same"), does: "compares values of one type" },
  { ...comparison, parameters: values("orderable"), does: "compares texts, numbers or times" },
];

/** Operators, in the order of the documentation. */
export const operatorTable: readonly OperatorDescription[] = [
  {
    ...sum,
    name: "+",
    signature: "a + b",
    example: "2 + 0.5",
    gives: "2.5",
    description: "The sum of two numbers.",
    does: "adds numbers",
  },
  { ...sum, name: "-", signature: "a - b", example: "2 - 5", gives: "-3", description: "The difference.", does: "subtracts numbers" },
  { ...sum, name: "*", signature: "a * b", example: "4 * 2.5", gives: "10", description: "The product.", does: "multiplies numbers" },
  {
    ...sum,
    name: "/",
    result: "decimal",
    signature: "a / b",
    example: "7 / 2",
    gives: "3.5",
    description: "The quotient, always a decimal. Division by zero has no value.",
    does: "divides numbers",
  },
  {
    ...sum,
    name: "%",
    signature: "a % b",
    example: "-7 % 3",
    gives: "-1",
    description: "The rest of a division, with the sign of the left side.",
    does: "divides numbers",
  },
  {
    ...sum,
    name: "negate",
    parameters: [{ name: "a", takes: ["number"] }],
    signature: "-a",
    example: "-(2 + 3)",
    gives: "-5",
    description: "The number with the other sign.",
    does: "takes a number",
  },
  {
    name: "||",
    group: "Texts",
    parameters: values(["text"]),
    result: "text",
    signature: "a || b",
    example: "'ATL' || '-' || 'ORD'",
    gives: "ATL-ORD",
    description: "Two texts, one after the other.",
    does: "joins texts",
  },
  { ...equality, name: "=", signature: "a = b", example: "1 = 1.0", gives: "true", description: "Whether both are equal." },
  { ...equality, name: "<>", signature: "a <> b", example: "'a' <> 'A'", gives: "true", description: "Whether they differ." },
  { ...order, name: "<", signature: "a < b", example: "2 < 10", gives: "true", description: "Whether the left side is less or earlier." },
  { ...order, name: "<=", signature: "a <= b", example: "2 <= 2", gives: "true", description: "Whether the left side is not greater." },
  {
    ...order,
    name: ">",
    signature: "a > b",
    example: "'Z' > 'a'",
    gives: "false",
    description: "Whether the left side is greater or later.",
  },
  { ...order, name: ">=", signature: "a >= b", example: "3 >= 2", gives: "true", description: "Whether the left side is not less." },
  {
    ...comparison,
    name: "and",
    parameters: conditions,
    signature: "a and b",
    example: "1 < 2 and 2 < 1",
    gives: "false",
    description: "Whether both conditions are true.",
    does: "joins conditions",
  },
  {
    ...comparison,
    name: "or",
    parameters: conditions,
    signature: "a or b",
    example: "null or true",
    gives: "true",
    description: "Whether one of the conditions is true.",
    does: "joins conditions",
  },
  {
    ...comparison,
    name: "not",
    parameters: [{ name: "a", takes: ["boolean"] }],
    signature: "not a",
    example: "not 1 = 2",
    gives: "true",
    description: "Whether the condition is false.",
    does: "takes a condition",
  },
  {
    ...comparison,
    name: "in",
    parameters: [
      { name: "a", takes: "same" },
      { name: "b", takes: "same", repeated: true },
    ],
    signature: "a in (b, …)",
    example: "'GA' in ('GA', 'FL')",
    gives: "true",
    description: "Whether the value is one of the list.",
    does: "compares values of one type",
  },
  {
    ...comparison,
    name: "between",
    parameters: [
      { name: "a", takes: "orderable" },
      { name: "least", takes: "orderable" },
      { name: "most", takes: "orderable" },
    ],
    signature: "a between least and most",
    example: "5 between 1 and 5",
    gives: "true",
    description: "Whether the value is within the range, both ends included.",
    does: "compares texts, numbers or times",
  },
  {
    ...comparison,
    name: "is null",
    parameters: [{ name: "a", takes: "any" }],
    signature: "a is null",
    example: "null_if(1, 1) is null",
    gives: "true",
    description: "Whether there is no value.",
    does: "takes a value",
  },
  {
    name: "case",
    group: "Conditions",
    // Conditions and results by turns, which the checker knows.
    parameters: [{ name: "value", takes: "same", repeated: true }],
    result: "same",
    signature: "case when condition then a … else b end",
    example: "case when 1 > 2 then 'a' when 2 > 1 then 'b' else 'c' end",
    gives: "b",
    description: "The value behind the first condition that is true.",
    does: "answers values of one type",
  },
];
