import { type Clause, isSameName, type TextColumn } from "./filter-clauses.ts";
import { similarName } from "./filter-similar-name.ts";
import { inQuotes, quoteIfNeeded } from "./filter-writing.ts";

/** A column that takes no filter of its own. */
export interface OtherColumn {
  readonly name: string;
  readonly combined?: { readonly fields: readonly string[] } | null | undefined;
}

const notJoined = `Filters can't be joined with "or": all of them apply. Type one of them`;

/** Problems of a text as a whole. */
export const textHints = {
  /** Of datasets whose service combines all filters. */
  notJoined: `${notJoined}.`,
  nested: `Parentheses hold conditions, no further parentheses: "(a and b) or c" and "(a or b) and c" are possible.`,
  unfinished: `Add a condition after "or".`,
  unclosed: `A parenthesis is not closed: add ")".`,
  tooMany: "A filter has at most 10 alternatives, each with at most 10 conditions.",
} as const;

export const isNumber = (field: TextColumn | undefined): boolean =>
  field?.type === "integer" || field?.type === "decimal" || field?.type === "number";

/** The problem of one condition, worded for the user; undefined where it is complete. */
export function conditionProblem(clause: Clause, columns: readonly TextColumn[], others: readonly OtherColumn[]): string | undefined {
  const { column, field, condition, values, rest } = clause;
  if (column.text === "") return "Start with a column.";
  if (!field) return unknownColumn(column.text, columns, others);
  const { name, operators, canBeEmpty, moreOperators } = field;
  const offered = operatorList(field);
  if (!condition) {
    const last = canBeEmpty ? `${offered} or "is empty"` : offered;
    const word = /^\S+/.exec(rest)?.[0];
    return word === undefined ? `Add an operator after ${name}: ${last}.` : `'${word}' is not supported. ${name} takes ${last}.`;
  }
  const { operator, isEmpty } = condition;
  const isOffered = isEmpty ? canBeEmpty : [...operators, ...moreOperators].some((one) => one === operator);
  if (!isOffered) return `${name} can only be filtered with ${offered}.`;
  if (rest !== "") return `Separate '${rest}' with "and".`;
  if (isEmpty) return undefined;
  const isRange = operator === "between" || operator === "not between";
  if (isRange && (values.length < 2 || values.some(({ text, isQuoted }) => text === "" && !isQuoted))) {
    return `Add two values after ${name} ${operator}, with "and" between them.`;
  }
  // Blank texts are no values of comparisons, but of all others when they are in quotes.
  const isComparison = operators.some((one) => one === operator);
  if (values.some(({ text, isQuoted }) => (isComparison ? text.trim() !== "" : text !== "" || (isQuoted && !isOfText(operator)))))
    return undefined;
  return `Add a value after ${name} ${operator}.${isComparison && canBeEmpty ? ` For rows without a value, type "${name} is empty".` : ""}`;
}

const isOfText = (operator: string): boolean => operator.endsWith("contains") || operator.endsWith("with");

const operatorList = ({ operators, moreOperators }: TextColumn): string =>
  [operators.join(" "), ...moreOperators.filter((one) => one !== "any" && !one.startsWith("not "))].join(", ");

function unknownColumn(typed: string, columns: readonly TextColumn[], others: readonly OtherColumn[]): string {
  const column = others.find(({ name }) => isSameName(name, typed));
  if (column?.combined) return `${column.name} combines ${column.combined.fields.join(" and ")}. Filter by those.`;
  if (column) return `${column.name} can't be filtered. Choose one of ${columns.map(({ name }) => name).join(", ")}.`;
  const similar = similarName(
    typed,
    columns.map(({ name }) => name),
  );
  return `There is no column ${typed}.${similar === undefined ? "" : ` Did you mean ${similar}?`}`;
}

const maxNamedParts = 3;

/**
 * Advice for a value that reads like several where the column takes no list: `ATL, ORD`, or `ATL or ORD`. A comparison has one value,
 * and searching for the whole text would find something else without a word. `text` is the value without quotes, if it has none.
 */
export function severalValuesHint({ field, condition }: Clause, text: string | undefined, parts: readonly string[]): string {
  const start = `${field?.name} ${condition?.operator}`;
  const itself = text !== undefined && field?.type === "STRING" ? `, or ${start} ${inQuotes(text)} for that text` : "";
  if (text !== undefined && /\sor\s+/i.test(text)) return `A filter has one value, without "or". Type one of them${itself}.`;
  const advice =
    condition?.operator === "<>" && parts.length <= maxNamedParts
      ? `Type ${parts.map((part) => `${start} ${quoteIfNeeded(part)}`).join(" and ")}`
      : "Type one of them";
  return `A filter has one value, not a list. ${advice}${itself}.`;
}
