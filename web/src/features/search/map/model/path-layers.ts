import { type Column, isTimestamp, operator, type Operator, operatorsOf, satisfies } from "@fairway/contract/columns";
import { parseFilterValue } from "@fairway/contract/filter-values";
import type { CellValue } from "@fairway/contract/search";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { exactValue } from "#lib/text/exact-value.ts";
import { logFailure } from "#lib/browser/log.ts";

/** Names of palette variables, so that the theme decides on the actual colors: the default first, then the four extra ones. */
export const pathColors = ["path", "c2", "c4", "c3", "c1"] as const;
export type PathColor = (typeof pathColors)[number];

export const pathColorNames: Readonly<Record<PathColor, string>> = {
  path: "Blue",
  c2: "Orange",
  c4: "Purple",
  c3: "Green",
  c1: "Sky blue",
};

/** Condition of the positions that a layer highlights. The operator may come from an address, so it can be any text. */
export interface HighlightCondition {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

export interface PathLayer {
  readonly id: string;
  readonly color: PathColor;
  readonly isActive: boolean;
  /** null = every position. */
  readonly condition: HighlightCondition | null;
}

export const maxLayers = pathColors.length;

/** A single dark blue layer of every position. */
export const defaultLayers: readonly PathLayer[] = [{ id: "1", color: "path", isActive: true, condition: null }];

/** Adds a layer in the first free color. Returns the same list if it is full. */
export function withLayer(layers: readonly PathLayer[], condition: HighlightCondition): readonly PathLayer[] {
  const color = pathColors.find((candidate) => layers.every((layer) => layer.color !== candidate)) ?? pathColors[1];
  const id = String(Math.max(0, ...layers.map((layer) => Number(layer.id) || 0)) + 1);
  return layers.length >= maxLayers ? layers : [...layers, { id, color, isActive: true, condition }];
}

/** A validation problem of edited layers; `layer` is the layer's id, or null for the list as a whole. */
export interface LayerProblem {
  readonly layer: string | null;
  readonly text: string;
}

/** Validates the layers; an empty list means they can be drawn. */
export function layerProblems(layers: readonly PathLayer[], columns: readonly Column[]): LayerProblem[] {
  const problems = layers.flatMap(({ id, condition }) => {
    const text = condition && conditionProblem(condition, columns);
    return text ? [{ layer: id, text }] : [];
  });
  return layers.some(({ isActive }) => isActive) ? problems : [{ layer: null, text: "A path needs at least 1 active layer." }, ...problems];
}

/** Validates a condition; undefined if it is complete. */
export function conditionProblem(condition: HighlightCondition, columns: readonly Column[]): string | undefined {
  if (condition.column === "") return "Choose a column.";
  const column = columns.find(({ name }) => name === condition.column);
  if (!column || column.combined) return `There is no column '${condition.column}'.`;
  if (condition.operator === "") return "Choose an operator.";
  if (condition.value.trim() === "") return "Enter a value.";
  const parsed = parseFilterValue(column.type, typedValue(column, condition.value));
  return "problem" in parsed ? `'${condition.value}' ${parsed.problem}.` : undefined;
}

/** The columns that the layers' conditions read. */
export const layerColumns = (layers: readonly PathLayer[]): string[] => [
  ...new Set(layers.flatMap(({ condition }) => (condition === null || condition.column === "" ? [] : [condition.column]))),
];

/** Returns a predicate for the layer. An incomplete condition or an unknown operator matches nothing. */
export function highlightTest(condition: HighlightCondition | null, columns: readonly Column[]): (value: CellValue) => boolean {
  if (condition === null) return () => true;
  const column = columns.find(({ name }) => name === condition.column);
  if (!column || conditionProblem(condition, columns) !== undefined) return () => false;
  const parsedOperator = operator.safeParse(condition.operator);
  if (!parsedOperator.success) {
    logFailure("Unknown highlight operator", condition.operator);
    return () => false;
  }
  const parsed = parseFilterValue(column.type, typedValue(column, condition.value));
  if ("problem" in parsed) return () => false;
  return (value) => value !== null && matches(parsedOperator.data, comparable(column, value), parsed.value);
}

/** The operators of the column's type. */
export const highlightOperators = (column: Column | undefined): readonly Operator[] =>
  column ? operatorsOf(column.type) : operator.options;

type Comparable = string | number | bigint | boolean;

const typedValue = ({ type }: Column, value: string): string => (type === "STRING" ? value : value.trim());

function comparable({ type }: Column, value: string | number | boolean): Comparable | undefined {
  if (isTimestamp(type)) return epochMsOf(type, value);
  if (type === "integer" || type === "decimal") {
    if (typeof value === "boolean") return undefined;
    const number = exactValue(value);
    return Number.isNaN(number) ? undefined : number;
  }
  return type === "BOOLEAN" ? value : String(value);
}

function matches(operatorName: Operator, value: Comparable | undefined, expected: Comparable): boolean {
  if (value === undefined || kindOf(value) !== kindOf(expected)) return false;
  return satisfies(operatorName, compare(value, expected));
}

/** Whole numbers of any size and other numbers compare exactly with each other. */
const kindOf = (value: Comparable): string => (typeof value === "bigint" ? "number" : typeof value);

function compare(value: Comparable, expected: Comparable): number {
  if (typeof value === "string" && typeof expected === "string") return byCodePoint(value, expected);
  return value < expected ? -1 : value > expected ? 1 : 0;
}

// The server compares code points; `<` in JavaScript compares UTF-16 code units.
function byCodePoint(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
