import { type Column, isTimestamp, operator, type Operator, operatorsOf } from "@fairway/contract/columns";
import { type ParsedValue, parseFilterValue } from "@fairway/contract/filter-values";
import type { CellValue } from "@fairway/contract/search";
import { epochMsOf } from "#lib/dates.ts";
import { logFailure } from "#lib/log.ts";

/** Names of the palette, so that a theme decides what they look like: the default, then the four extra ones. */
export const pathColours = ["path", "c2", "c4", "c3", "c1"] as const;
export type PathColour = (typeof pathColours)[number];

export const pathColourNames: Readonly<Record<PathColour, string>> = {
  path: "Blue",
  c2: "Orange",
  c4: "Purple",
  c3: "Green",
  c1: "Sky blue",
};

/** Which positions a layer highlights. The operator may come from an address, so any text is possible. */
export interface HighlightCondition {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

export interface PathLayer {
  readonly id: string;
  readonly colour: PathColour;
  readonly isActive: boolean;
  /** Null: every position. */
  readonly condition: HighlightCondition | null;
}

export const mostLayers = pathColours.length;

/** One layer with every position, dark blue. */
export const defaultLayers: readonly PathLayer[] = [{ id: "1", colour: "path", isActive: true, condition: null }];

/** One more layer, in the first colour that none has yet. The same list where there is no room. */
export function withLayer(layers: readonly PathLayer[], condition: HighlightCondition): readonly PathLayer[] {
  const colour = pathColours.find((free) => layers.every((layer) => layer.colour !== free)) ?? pathColours[1];
  const id = String(Math.max(0, ...layers.map((layer) => Number(layer.id) || 0)) + 1);
  return layers.length >= mostLayers ? layers : [...layers, { id, colour, isActive: true, condition }];
}

/** What is wrong with layers as they are edited, by the id of the layer; `null` stands for all of them. */
export interface LayerProblem {
  readonly layer: string | null;
  readonly text: string;
}

/** Why layers cannot be drawn as they stand; empty when they can. */
export function layerProblems(layers: readonly PathLayer[], columns: readonly Column[]): LayerProblem[] {
  const problems = layers.flatMap(({ id, condition }) => {
    const text = condition && conditionProblem(condition, columns);
    return text ? [{ layer: id, text }] : [];
  });
  return layers.some(({ isActive }) => isActive) ? problems : [{ layer: null, text: "A path needs at least 1 active layer." }, ...problems];
}

/** Why a condition says nothing yet; undefined when it is whole. */
export function conditionProblem(condition: HighlightCondition, columns: readonly Column[]): string | undefined {
  if (condition.column === "") return "Choose a column.";
  const column = columns.find(({ name }) => name === condition.column);
  if (!column || column.combined) return `There is no column '${condition.column}'.`;
  if (condition.operator === "") return "Choose an operator.";
  if (condition.value.trim() === "") return "Enter a value.";
  const parsed = parseFilterValue(column.type, typedValue(column, condition.value));
  return "problem" in parsed ? `'${condition.value}' ${parsed.problem}.` : undefined;
}

/** What a layer's condition reads. */
export const layerColumns = (layers: readonly PathLayer[]): string[] => [
  ...new Set(layers.flatMap(({ condition }) => (condition === null || condition.column === "" ? [] : [condition.column]))),
];

/** Whether a position belongs to the layer. A condition that is not whole, or whose operator is unknown, fits none. */
export function highlightTest(condition: HighlightCondition | null, columns: readonly Column[]): (value: CellValue) => boolean {
  if (condition === null) return () => true;
  const column = columns.find(({ name }) => name === condition.column);
  if (!column || conditionProblem(condition, columns) !== undefined) return () => false;
  const known = operator.safeParse(condition.operator);
  if (!known.success) {
    logFailure("Unknown highlight operator", condition.operator);
    return () => false;
  }
  const parsed = parseFilterValue(column.type, typedValue(column, condition.value));
  if ("problem" in parsed) return () => false;
  return (value) => value !== null && fits(known.data, comparable(column, value), wantedOf(parsed.value));
}

/** The operators that the column knows. */
export const highlightOperators = (column: Column | undefined): readonly Operator[] =>
  column ? operatorsOf(column.type) : operator.options;

type Comparable = string | number | boolean;

const typedValue = ({ type }: Column, value: string): string => (type === "STRING" ? value : value.trim());

const wantedOf = (value: ParsedValue): Comparable => (typeof value === "bigint" ? Number(value) : value);

function comparable({ type }: Column, value: string | number | boolean): Comparable | undefined {
  if (isTimestamp(type)) return epochMsOf(type, value);
  if (type === "integer" || type === "decimal") {
    const number = Number(value);
    return typeof value === "boolean" || Number.isNaN(number) ? undefined : number;
  }
  return type === "BOOLEAN" ? value : String(value);
}

function fits(by: Operator, value: Comparable | undefined, wanted: Comparable): boolean {
  if (value === undefined || typeof value !== typeof wanted) return false;
  const order = compare(value, wanted);
  switch (by) {
    case "=":
      return order === 0;
    case "<>":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return by satisfies never;
  }
}

function compare(value: Comparable, wanted: Comparable): number {
  if (typeof value === "string" && typeof wanted === "string") return byCodePoint(value, wanted);
  return value === wanted ? 0 : value < wanted ? -1 : 1;
}

// As the server compares texts; `<` of JavaScript compares UTF-16 units.
function byCodePoint(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
