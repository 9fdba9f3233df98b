import { z } from "zod";

/** How a measure is computed of a group of rows. All but `count`, `share` and `rate` need a column. */
export const measureAggregation = z.enum([
  "count",
  "distinct",
  "sum",
  "avg",
  "median",
  "percentile",
  "min",
  "max",
  "stddev",
  "share",
  "rate",
]);
export type MeasureAggregation = z.infer<typeof measureAggregation>;

/** How a measure is computed of two others. A `ratio` is 0 where the divisor is 0. */
export const derivedMeasure = z.enum(["ratio", "ratio-percent", "product", "sum", "delta"]);
export type DerivedMeasure = z.infer<typeof derivedMeasure>;

/** The part of a measure that its text form says. */
export interface NamedMeasure {
  readonly aggregation: string;
  /** Default: `*`. */
  readonly column?: string | undefined;
  readonly p?: number | undefined;
  readonly of?: "all" | "row" | "column" | readonly [string, string] | undefined;
}

/** Aggregations that count rows where they have no column. */
const ofRows: readonly string[] = ["count", "share", "rate"] satisfies MeasureAggregation[];
const partShares = { "row-share": "row", "column-share": "column" } as const;

/**
 * The text form, which is also the default id: `count(*)`, `avg(delay)`, `p90(delay)`, `share(*)`, `row-share(delay)`, `rate`, and
 * `ratio(a, b)` of derived ones.
 */
export function measureText({ aggregation, column = "*", p, of }: NamedMeasure): string {
  if (typeof of === "object") return `${aggregation}(${of[0]}, ${of[1]})`;
  if (aggregation === "rate" && column === "*") return aggregation;
  if (aggregation === "percentile" && p !== undefined) return `p${percent(p)}(${column})`;
  const prefix = aggregation === "share" && (of === "row" || of === "column") ? `${of}-` : "";
  return `${prefix}${aggregation}(${column})`;
}

/**
 * Reads a text form: `avg(delay)`, `p99.9(delay)`, `count`, `count(*)`, `rate`. Undefined for what is none, and for derived measures. The
 * column may contain anything.
 */
export function parseMeasure(text: string): (NamedMeasure & { readonly aggregation: MeasureAggregation }) | undefined {
  const trimmed = text.trim();
  const at = trimmed.indexOf("(");
  const word = (at < 0 ? trimmed : trimmed.slice(0, at)).trim().toLowerCase();
  const column = at < 0 || !trimmed.endsWith(")") ? undefined : trimmed.slice(at + 1, -1);
  if ((at >= 0 && column === undefined) || column === "") return undefined;
  const known = measureAggregation.safeParse(word);
  if (column === undefined) return known.success && ofRows.includes(known.data) ? { aggregation: known.data, column: "*" } : undefined;
  if (column === "*" && word === "rate") return { aggregation: "rate", column };
  if (word === "row-share" || word === "column-share") return { aggregation: "share", column, of: partShares[word] };
  if (/^p\d{1,3}(?:\.\d{1,10})?$/.test(word)) {
    const percentile = Number(word.slice(1));
    return percentile > 100 ? undefined : { aggregation: "percentile", column, p: Number((percentile / 100).toPrecision(15)) };
  }
  if (!known.success || known.data === "percentile" || (column === "*" && !ofRows.includes(known.data))) return undefined;
  return { aggregation: known.data, column };
}

/** 0.07 is not exactly 7 hundredths. */
const percent = (p: number): number => Number((p * 100).toPrecision(12));
