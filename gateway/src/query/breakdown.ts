import type { BreakdownUnit, TimePart, WeekStart } from "@fairway/contract/breakdowns";
import type { ColumnType, Operator } from "@fairway/contract/columns";
import type { DerivedMeasure, MeasureAggregation } from "@fairway/contract/measures";
import type { CellValue } from "@fairway/contract/search";
import type { Condition, SearchQuery } from "./search-query.ts";

export type BreakdownSearch = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

interface PlainColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly day?: boolean | undefined;
}

/** The order of an axis. `measure` is a place in the list of measures, or null for the key. */
export interface AxisOrder {
  readonly measure: number | null;
  readonly of: "value" | "before" | "change" | "percent";
  readonly direction: "asc" | "desc";
}

export type AxisKind =
  | {
      readonly kind: "value";
      readonly column: PlainColumn;
      readonly top: { readonly count: number; readonly order: AxisOrder; readonly other: boolean } | null;
      readonly showsEmpty: boolean;
    }
  | {
      readonly kind: "time";
      readonly column: PlainColumn;
      readonly unit: BreakdownUnit;
      readonly size: number;
      readonly zone: string;
      readonly weekStart: WeekStart;
    }
  | { readonly kind: "part"; readonly column: PlainColumn; readonly part: TimePart; readonly zone: string; readonly weekStart: WeekStart }
  | {
      readonly kind: "range";
      readonly column: PlainColumn;
      readonly by: { readonly width: number; readonly origin: number } | { readonly edges: readonly number[] } | { readonly about: number };
    }
  | {
      readonly kind: "groups";
      readonly groups: readonly (readonly Condition[])[];
      readonly match: "all" | "first";
      readonly other: boolean;
    };

export type BreakdownAxis = AxisKind & { readonly order: AxisOrder };

/** A figure over the rows of a group: of a column, or of two other measures by their places. */
export type BreakdownMeasure =
  | {
      readonly aggregation: MeasureAggregation;
      /** Null: of rows. */
      readonly column: PlainColumn | null;
      /** Of `percentile`. */
      readonly p: number;
      /** The rows of a group that count; null: all. */
      readonly where: readonly Condition[] | null;
      /** Of `share`. */
      readonly of: "all" | "row" | "column";
    }
  | { readonly derived: DerivedMeasure; readonly from: readonly [number, number] };

/** `axis` is the place of the axis whose entries it is about; null: cells of a table. */
export interface BreakdownCondition {
  readonly measure: number;
  readonly operator: Operator;
  readonly value: number;
  readonly axis: number | null;
}

/** A validated breakdown. */
export interface BreakdownQuery extends BreakdownSearch {
  readonly axes: readonly BreakdownAxis[];
  readonly measures: readonly BreakdownMeasure[];
  readonly having: readonly BreakdownCondition[];
  /** The same search over another range of time. */
  readonly before: BreakdownSearch | null;
  readonly totals: boolean;
  readonly accuracy: "exact" | "estimate" | undefined;
  /** Entries of a single grouping that are listed. */
  readonly maxListed: number;
  /** `too-much` above. */
  readonly maxCells: number;
}

export type AnsweredEntry =
  | { readonly kind: "value"; readonly value: CellValue }
  | { readonly kind: "empty" }
  | { readonly kind: "other"; readonly count: number | null }
  | { readonly kind: "time"; readonly startMs: number; readonly endMs: number; readonly text: string }
  | { readonly kind: "outside" }
  | { readonly kind: "part"; readonly number: number }
  | { readonly kind: "range"; readonly from: number | null; readonly to: number | null }
  | { readonly kind: "group"; readonly index: number };

export interface AnsweredAxis {
  readonly found: number;
  readonly failing: { readonly groups: number; readonly rows: number };
  readonly entries: readonly AnsweredEntry[];
}

/** Values of the measures over some rows. `before` is undefined without a comparison, and null where it has no such rows to compare. */
export interface Figures {
  readonly values: readonly CellValue[];
  readonly before?: readonly CellValue[] | null;
}

export interface BreakdownResult {
  readonly axes: readonly AnsweredAxis[];
  readonly cells: readonly (Figures & { readonly at: readonly number[] })[];
  readonly totals: { readonly all: Figures; readonly axes: readonly (readonly Figures[])[] } | null;
  readonly rows: number;
  readonly isCut: boolean;
  /** Whether each measure is an estimate. */
  readonly estimates: readonly boolean[];
  /** `DuckDB`, `Trino` or `Presto`. */
  readonly engine: string;
}

/** Some groups of a breakdown: their entries on each axis, and their cells. */
export interface BreakdownPage {
  readonly axes: readonly (readonly AnsweredEntry[])[];
  readonly cells: BreakdownResult["cells"];
  /** Whether there are more groups, which are in no page. */
  readonly isCut: boolean;
}

export interface ExplainedBreakdown {
  /** `DuckDB`, `Trino` or `Presto`. */
  readonly engine: string;
  readonly statements: readonly string[];
}
