/** All aggregations of one group of rows. */
export const measureAggregations = [
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
] as const;
export type MeasureAggregation = (typeof measureAggregations)[number];

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
  const known = measureAggregations.find((one) => one === word);
  if (column === undefined) return known !== undefined && ofRows.includes(known) ? { aggregation: known, column: "*" } : undefined;
  if (column === "*" && word === "rate") return { aggregation: "rate", column };
  if (word === "row-share" || word === "column-share") return { aggregation: "share", column, of: partShares[word] };
  if (/^p\d{1,3}(?:\.\d{1,10})?$/.test(word)) {
    const percentile = Number(word.slice(1));
    return percentile > 100 ? undefined : { aggregation: "percentile", column, p: Number((percentile / 100).toPrecision(15)) };
  }
  if (known === undefined || known === "percentile" || (column === "*" && !ofRows.includes(known))) return undefined;
  return { aggregation: known, column };
}

/** 0.07 is not exactly 7 hundredths. */
const percent = (p: number): number => Number((p * 100).toPrecision(12));

/** A condition on a measure, such as `count>=100`. */
export interface NamedCondition {
  /** The text form as it is typed. */
  readonly measure: string;
  readonly operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  readonly value: number;
}

const signs: readonly NamedCondition["operator"][] = ["=", "<>", "<", "<=", ">", ">="];

/** Reads a condition: `count>=100`, `avg(delay) < 15`. Undefined for what is none. The column of its measure may contain anything. */
export function parseMeasureCondition(text: string): NamedCondition | undefined {
  const end = Math.max(...["=", "<", ">"].map((sign) => text.lastIndexOf(sign))) + 1;
  const start = signs.some((sign) => sign === text.slice(end - 2, end)) ? end - 2 : end - 1;
  const operator = signs.find((sign) => sign === text.slice(start, end));
  const [measure, number] = [text.slice(0, start).trim(), text.slice(end).trim()];
  if (operator === undefined || measure === "" || /[<>=]$/.test(measure)) return undefined;
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number) ? { measure, operator, value: Number(number) } : undefined;
}
