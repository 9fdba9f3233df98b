import type { ColumnProfile } from "@fairway/contract/column-values";
import { type Column, isDay, isTimestamp } from "@fairway/contract/columns";
import type { FilterValue } from "@fairway/contract/datasets";
import { dayText, utcText } from "@fairway/contract/utc-texts";
import { isoDay } from "#lib/time/dates.ts";
import { readFilterValue } from "#parts/filters/filter-value.ts";
import { colorAt, emptyColor, restColor } from "@fairway/contract/charts/graph-colors";
import type { Condition, Grouping } from "@fairway/contract/charts/graph";

/** How a column's values become groups: one per frequent value, or ranges of equal width. */
export type GroupingWay = "top" | "ranges";

/** The ways that suit a column, the better one first. */
export function waysOf({ type }: Pick<Column, "type">): readonly GroupingWay[] {
  if (type === "STRING" || type === "BOOLEAN") return ["top"];
  return isTimestamp(type) ? ["ranges"] : ["ranges", "top"];
}

/**
 * Custom groups from the profile of a column. `top`: its `count` most frequent values, and Other for the rows with other values.
 * `ranges`: about `count` ranges with round bounds, which cover all values. Either way, rows without a value are a group of their own.
 */
export function groupsFromProfile(column: Column, profile: ColumnProfile, { way, count }: { way: GroupingWay; count: number }): Grouping[] {
  return way === "top" ? topGroups(column, profile, count) : rangeGroups(column, profile, count);
}

function topGroups(column: Column, { rows, empty, top }: ColumnProfile, count: number): Grouping[] {
  const values = top.flatMap(({ value, rows: rowsOfValue }) => {
    const read = readFilterValue(column, typeof value === "number" ? String(value) : (value ?? ""));
    return "value" in read && read.value !== "" ? [{ value: read.value, rows: rowsOfValue }] : [];
  });
  const chosen = values.slice(0, count);
  if (chosen.length === 0) return [];
  const groups = chosen.map(({ value }, index) => groupOf(String(value), [conditionOf(column, "=", value)], index));
  const isRest = chosen.reduce((sum, { rows: rowsOfValue }) => sum + rowsOfValue, empty) < rows;
  const rest = { ...groupOf("Other", [], groups.length), color: restColor, isRest: true };
  return [...groups, ...emptyGroups(column, empty), ...(isRest ? [rest] : [])];
}

/** The group of the rows without a value, if there are any. */
const emptyGroups = (column: Column, empty: number): Grouping[] =>
  empty === 0 ? [] : [{ ...groupOf("Empty", [conditionOf(column, "=", null)], 0), color: emptyColor }];

function rangeGroups(column: Column, { min, max, empty }: ColumnProfile, count: number): Grouping[] {
  const [low, high] = [Number(min ?? Number.NaN), Number(max ?? Number.NaN)];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const isTime = isTimestamp(column.type);
  const unit = column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
  const isWholeDays = isDay(column);
  const width = isTime
    ? timeWidth(Math.max(isWholeDays ? dayMs : 0, ((high - low) * unit) / count)) / unit
    : roundWidth((high - low) / count, column.type === "integer");
  const first = Math.floor(low / width);
  const ranges = Array.from({ length: Math.floor(high / width) - first + 1 }, (_, index) => ({
    from: exact((first + index) * width),
    before: exact((first + index + 1) * width),
  }));
  const valueOf = (number: number): FilterValue => {
    if (!isTime) return number;
    return (isWholeDays ? isoDay(number * unit) : undefined) ?? new Date(number * unit).toISOString();
  };
  const groups = ranges.map(({ from, before }, index) =>
    groupOf(
      isTime ? timeLabel(from * unit, before * unit) : numberLabel(from, before, column.type === "integer"),
      [conditionOf(column, ">=", valueOf(from)), conditionOf(column, "<", valueOf(before))],
      index,
    ),
  );
  return [...groups, ...emptyGroups(column, empty)];
}

const groupOf = (label: string, conditions: Condition[], index: number): Grouping => ({
  id: crypto.randomUUID(),
  label: label.slice(0, 200),
  conditions,
  color: colorAt(index),
});

const conditionOf = ({ name }: Column, operator: Condition["operator"], value: FilterValue | null): Condition => ({
  id: crypto.randomUUID(),
  model: name,
  operator,
  value,
});

/** Without the noise of binary fractions: 0.3, not 0.30000000000000004. */
const exact = (value: number): number => Number(value.toPrecision(12));

/** 1, 2 or 5 times a power of ten, at least as wide as this; whole for integers. */
function roundWidth(width: number, isInteger: boolean): number {
  if (width <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  const round = ([1, 2, 5, 10].find((factor) => factor * power >= width * (1 - 1e-9)) ?? 10) * power;
  return isInteger ? Math.max(1, round) : round;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const timeWidths = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs, 7 * dayMs, 30 * dayMs, 91 * dayMs, 365 * dayMs] as const;

const timeWidth = (widthMs: number): number =>
  timeWidths.find((width) => width >= widthMs) ?? Math.ceil(widthMs / (365 * dayMs)) * 365 * dayMs;

const numberLabel = (from: number, before: number, isInteger: boolean): string =>
  isInteger ? (before - from === 1 ? String(from) : `${from} – ${before - 1}`) : `${from} – <${before}`;

/** Whole days by their dates, anything shorter by its start. */
function timeLabel(fromMs: number, beforeMs: number): string {
  const width = beforeMs - fromMs;
  if (width < dayMs) return utcText(fromMs) ?? "";
  const first = dateText(fromMs);
  return width === dayMs ? first : `${first} – ${dateText(beforeMs - 1)}`;
}

const dateText = (epochMs: number): string => dayText(epochMs) ?? "";
