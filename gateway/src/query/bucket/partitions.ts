import { satisfies } from "@fairway/contract/columns";
import { unitMs, instantBounds } from "#query/sql/instants.ts";
import { endsOf, isComparison } from "#query/conditions.ts";
import type { ComparisonCondition, Condition, PlainCondition, SearchQuery } from "#query/engine.ts";
import { rangeConditions } from "#query/sql/compile.ts";

export type PartitionType = "BIGINT" | "DATE" | "VARCHAR";

/** A column whose values stand in the keys of files, as `name=value`. */
export interface Partition {
  readonly name: string;
  readonly type: PartitionType;
}

/** Spelling of the value null by writers. */
const noValue = "__HIVE_DEFAULT_PARTITION__";

/** The segments `name=value` of a key, without the name of the file. */
export const partitionSegments = (key: string): string[] =>
  key
    .split("/")
    .slice(0, -1)
    .filter((segment) => /^[^=?\n]+=[^=?\n]*$/.test(segment));

type Values = ReadonlyMap<string, string>;

function valuesOf(key: string): Values {
  return new Map(
    partitionSegments(key).map((segment) => {
      const at = segment.indexOf("=");
      return [segment.slice(0, at), decoded(segment.slice(at + 1))];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** The partitions that all keys have; none if they differ. Their types follow from all values, so that they do not depend on a search. */
export function partitionsOf(keys: readonly string[]): Partition[] {
  const [first = "", ...others] = keys;
  const names = [...valuesOf(first).keys()];
  if (names.length === 0) return [];
  const seen = new Map(names.map((name) => [name, new Set<string>()]));
  for (const key of [first, ...others]) {
    const values = valuesOf(key);
    if (values.size !== names.length || !names.every((name) => values.has(name))) return [];
    for (const [name, value] of values) seen.get(name)?.add(value);
  }
  return names.map((name) => ({ name, type: typeOf([...(seen.get(name) ?? [])].filter((value) => value !== noValue)) }));
}

const integer = /^(?:0|-?[1-9]\d{0,17})$/;
const day = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

function typeOf(values: readonly string[]): PartitionType {
  if (values.length === 0) return "VARCHAR";
  if (values.every((value) => integer.test(value))) return "BIGINT";
  return values.every((value) => day.test(value) && msOf(value) !== undefined) ? "DATE" : "VARCHAR";
}

const msOf = (date: string): bigint | undefined => {
  const ms = Date.parse(`${date}T00:00:00Z`);
  // Such as February 30, which becomes a day of March.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date) ? undefined : BigInt(ms);
};

/**
 * Whether a file may hold rows of a search, judging by the values in its key. Only what is certain leaves a file out: whole numbers,
 * days, and texts that are compared for equality.
 */
export function mayHoldRows(
  key: string,
  partitions: readonly Partition[],
  { conditions, timeRange }: Pick<SearchQuery, "conditions"> & { readonly timeRange?: SearchQuery["timeRange"] },
): boolean {
  const values = valuesOf(key);
  const bounds = timeRange === null || timeRange === undefined ? [] : rangeConditions(timeRange);
  const may = (condition: Condition): boolean => {
    if (condition.operator === "any") return condition.lists.some((list) => list.every(may));
    if (condition.operator === "within") return true;
    const partition = partitions.find(({ name }) => name === condition.column);
    const value = values.get(condition.column);
    return partition === undefined || value === undefined || value === noValue || mayMatch(partition.type, value, condition);
  };
  return [...conditions, ...bounds].every(may);
}

function mayMatch(type: PartitionType, value: string, condition: PlainCondition): boolean {
  if (condition.operator === "in") {
    const { column, type: columnType, values } = condition;
    return values.some((one) => mayCompare(type, value, { column, type: columnType, operator: "=", ...one }));
  }
  if (condition.operator === "between") return endsOf(condition).every((end) => mayCompare(type, value, end));
  return isComparison(condition) ? mayCompare(type, value, condition) : true;
}

/** Whether the value in a key may satisfy a comparison. */
function mayCompare(type: PartitionType, value: string, condition: ComparisonCondition): boolean {
  if (condition.value === null) return true;
  // The text of a day is not the one in the key.
  if (condition.type === "STRING") return type === "DATE" || condition.operator !== "=" || value === condition.value;
  if (condition.type === "integer" && type === "BIGINT" && typeof condition.value === "bigint" && condition.digits === undefined) {
    return compare(BigInt(value), condition.operator, condition.value);
  }
  if ((condition.type === "TIMESTAMP_MILLS" || condition.type === "TIMESTAMP_SECONDS") && type === "DATE") {
    return mayMatchDay(msOf(value), condition.operator, condition.type, BigInt(condition.value));
  }
  return true;
}

function mayMatchDay(
  ms: bigint | undefined,
  operator: ComparisonCondition["operator"],
  type: ComparisonCondition["type"],
  valueMs: bigint,
): boolean {
  if (ms === undefined) return true;
  const bounds = instantBounds(operator, valueMs, unitMs(type));
  if (bounds === "nothing") return false;
  if (bounds === "everything" || "outside" in bounds) return true;
  const { from, before } = bounds.within;
  return (from === undefined || ms >= from) && (before === undefined || ms < before);
}

const compare = (a: bigint, operator: ComparisonCondition["operator"], b: bigint): boolean =>
  satisfies(operator, a < b ? -1 : a > b ? 1 : 0);
