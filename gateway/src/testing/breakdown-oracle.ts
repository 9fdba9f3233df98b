import type { BreakdownRequest, BreakdownUnit, TimePart } from "@fairway/contract/breakdowns";
import type { CellValue } from "@fairway/contract/search";

/** A row as it is shown: null, NaN and infinities are null, whole numbers beyond 2^53 texts, times epoch milliseconds. */
export type OracleRow = Readonly<Record<string, CellValue>>;

/** Groups of rows by the keys of their entries, computed without SQL. */
export interface OracleCell {
  readonly keys: readonly string[];
  readonly rows: readonly OracleRow[];
}

type Grouping = NonNullable<BreakdownRequest["by"]>[number];
type Filter = { readonly name: string; readonly operator: string; readonly value: unknown };

/** The dataset's time column, by which times are grouped that name none. */
export const timeColumn = "at";

const [firstMs, afterMs] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("+010000-01-01T00:00:00Z")];

/** Keys of the entries that a row belongs to. Times are the local text of their bucket, with the offset for hours and minutes. */
export function keysOf(grouping: Grouping, row: OracleRow, edges: readonly number[]): string[] {
  switch (grouping.kind) {
    case "value": {
      const value = row[grouping.column] ?? null;
      return [value === null ? "empty" : JSON.stringify(value)];
    }
    case "time":
    case "part": {
      const value = row[grouping.column ?? timeColumn] ?? null;
      if (value === null) return ["empty"];
      const ms = Number(value);
      if (grouping.kind === "part") return [String(partOf(grouping.part, ms, grouping.zone ?? "UTC"))];
      return [ms < firstMs || ms >= afterMs ? "outside" : bucketText(grouping.unit, ms, grouping.zone ?? "UTC")];
    }
    case "range": {
      const value = row[grouping.column] ?? null;
      return [value === null ? "empty" : String(edges.filter((edge) => Number(value) >= edge).length)];
    }
    case "groups": {
      const found = grouping.groups.flatMap(({ filters }, index) =>
        filters.every((filter) => matches(filter, row)) ? [String(index)] : [],
      );
      if (found.length === 0) return grouping.other === true ? ["other"] : [];
      return grouping.match === "first" ? found.slice(0, 1) : found;
    }
    default:
      return grouping satisfies never;
  }
}

/** All cells of a breakdown, before any is chosen or left out. */
export function cellsOf(by: readonly Grouping[], rows: readonly OracleRow[], edges: readonly (readonly number[])[]): OracleCell[] {
  const cells = new Map<string, { keys: string[]; rows: OracleRow[] }>();
  for (const row of rows) {
    const combined = by.reduce<string[][]>(
      (found, grouping, index) => {
        const keys = keysOf(grouping, row, edges[index] ?? []);
        return found.flatMap((before) => keys.map((key) => before.concat(key)));
      },
      [[]],
    );
    for (const keys of combined) {
      const id = JSON.stringify(keys);
      const cell = cells.get(id) ?? { keys, rows: [] };
      cell.rows.push(row);
      cells.set(id, cell);
    }
  }
  return [...cells.values()];
}

/** A figure over rows. Sums are exact texts beyond 2^53; everything else is as close as doubles are. */
export function figureOf(measure: BreakdownRequest["measures"][number], rows: readonly OracleRow[]): CellValue {
  const counted = rows.filter((row) => (measure.where ?? []).every((filter) => matches(filter, row)));
  const { aggregation, column = "*" } = measure;
  if (aggregation === "rate") return rows.length === 0 ? null : (100 * counted.length) / rows.length;
  if (column === "*") return counted.length;
  const values = counted.map((row) => row[column] ?? null).filter((value) => value !== null);
  if (aggregation === "count") return values.length;
  if (aggregation === "distinct") return new Set(values).size;
  if (values.length === 0) return null;
  if (aggregation === "sum" && values.every((value) => /^-?\d+$/.test(String(value)))) {
    const sum = values.reduce<bigint>((total, value) => total + BigInt(String(value)), 0n);
    return sum >= -(2n ** 53n) && sum <= 2n ** 53n ? Number(sum) : String(sum);
  }
  const numbers = values.map(Number).toSorted((one, other) => one - other);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  switch (aggregation) {
    case "sum":
      return mean * numbers.length;
    case "avg":
      return mean;
    case "median":
      return percentile(numbers, 0.5);
    case "percentile":
      return percentile(numbers, measure.p ?? 0);
    case "min":
      return numbers[0] ?? null;
    case "max":
      return numbers.at(-1) ?? null;
    case "stddev":
      return numbers.length < 2 ? null : Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (numbers.length - 1));
    default:
      throw new Error(`the oracle does not know ${aggregation}`);
  }
}

function percentile(sorted: readonly number[], p: number): number {
  const rank = p * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
  return low + (high - low) * (rank - Math.floor(rank));
}

function matches({ name, operator, value }: Filter, row: OracleRow): boolean {
  const found = row[name] ?? null;
  if (found === null) return operator === "<>";
  const [one, other] = typeof found === "string" && typeof value === "string" ? [found, value] : [Number(found), Number(value)];
  const order = one < other ? -1 : one > other ? 1 : 0;
  return { "=": order === 0, "<>": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[operator] ?? false;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clocks of a zone, as if they showed UTC. Rules are followed from 1800 to 2100. */
function localOf(ms: number, zone: string): Date {
  const at = Math.min(Math.max(ms, Date.UTC(1800, 0, 1)), Date.UTC(2100, 0, 1));
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" });
  formats.set(zone, format);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = format.format(at).split(/\D+/).map(Number);
  return new Date(ms + Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000);
}

function bucketText(unit: BreakdownUnit, ms: number, zone: string): string {
  const local = localOf(ms, zone);
  const text = local.toISOString();
  const day = new Date(local.getTime() - ((local.getUTCDay() + 6) % 7) * 86_400_000);
  const texts: Readonly<Record<BreakdownUnit, string>> = {
    minute: text.slice(0, 16),
    hour: text.slice(0, 13),
    day: text.slice(0, 10),
    week: day.toISOString().slice(0, 10),
    month: text.slice(0, 7),
    quarter: `${text.slice(0, 4)}-${String(Math.floor(local.getUTCMonth() / 3) * 3 + 1).padStart(2, "0")}`,
    year: text.slice(0, 4),
  };
  const isClock = unit === "hour" || unit === "minute";
  return isClock ? `${texts[unit]} ${local.getTime() - ms}` : texts[unit];
}

/** The key of an entry of time, as `keysOf` says it. */
export function timeKey(unit: BreakdownUnit, { startMs, text }: { readonly startMs: number; readonly text: string }, zone: string): string {
  const characters: Readonly<Record<BreakdownUnit, number>> = { minute: 16, hour: 13, day: 10, week: 10, month: 7, quarter: 7, year: 4 };
  const isClock = unit === "hour" || unit === "minute";
  const offset = localOf(startMs, zone).getTime() - startMs;
  return isClock ? `${text.slice(0, characters[unit])} ${offset}` : text.slice(0, characters[unit]);
}

function partOf(part: TimePart, ms: number, zone: string): number {
  const local = localOf(ms, zone);
  switch (part) {
    case "minuteOfHour":
      return local.getUTCMinutes();
    case "hourOfDay":
      return local.getUTCHours();
    case "dayOfWeek":
      return local.getUTCDay() === 0 ? 7 : local.getUTCDay();
    case "dayOfMonth":
      return local.getUTCDate();
    case "monthOfYear":
      return local.getUTCMonth() + 1;
    case "quarterOfYear":
      return Math.floor(local.getUTCMonth() / 3) + 1;
    case "weekOfYear": {
      // The week of a day is that of its Thursday.
      const thursday = new Date(local.getTime() + (3 - ((local.getUTCDay() + 6) % 7)) * 86_400_000);
      return Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1;
    }
    default:
      return part satisfies never;
  }
}
