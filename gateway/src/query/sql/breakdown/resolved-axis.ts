import type { AnsweredAxis, AnsweredEntry, BreakdownAxis, BreakdownQuery, BreakdownSearch } from "#query/breakdown.ts";
import type { Compiled } from "../compile.ts";
import type { TextRow } from "../column-values-read.ts";
import type { SqlDialect, SqlTable } from "../table.ts";
import type { AxisRows } from "./axis-rows.ts";
import type { ChosenGroup } from "./choose-values.ts";

/** Runs a statement. */
export type Run = <T>(statement: (table: SqlTable) => Compiled, read: (rows: readonly TextRow[], table: SqlTable) => T) => Promise<T>;

/** The query and the means to run parts of it. */
export interface Resolving {
  readonly query: BreakdownQuery;
  readonly run: Run;
  readonly dialect: SqlDialect;
}

export type AxisOf<Kind extends BreakdownAxis["kind"]> = Extract<BreakdownAxis, { kind: Kind }>;

/** The period whose rows are placed: that of the search, or that of its comparison. */
export type Period = "present" | "before";

/** An axis whose entries are known. */
export interface ResolvedAxis extends Omit<AnsweredAxis, "entries"> {
  /** In the order of the axis unless a measure decides it. Other, outside and empty come last, and go if they have no rows. */
  readonly entries: readonly AnsweredEntry[];
  /** Whether there are more groups than entries. */
  readonly isCut: boolean;
  /** How many groups are listed, if these are more. */
  readonly maxListed?: number;
  /** Whether the entries are in their final order already. */
  readonly isOrdered: boolean;
  /** Whether every row has exactly one place, so that totals can be computed in the same scan. */
  readonly isPartition: boolean;
  readonly rowsOf: (table: SqlTable, axis: number, period: Period) => AxisRows;
  /** Groups from this place on have no counterpart in the comparison. */
  readonly pairedUntil?: number;
  /** Of a single axis, where finding its entries has computed all figures. */
  readonly known?: {
    readonly figures: ReadonlyMap<number, ChosenGroup>;
    /** The rows of Other. */
    readonly restOf: (table: SqlTable) => AxisRows;
  };
  /** All rows of the search, if they are known. */
  readonly rows?: number;
}

/** Entries that go if they have no rows. */
export const isOptional = ({ kind }: AnsweredEntry): boolean => kind === "other" || kind === "outside" || kind === "empty";

export const searchOf = (query: BreakdownQuery, period: Period): BreakdownSearch => (period === "before" ? (query.before ?? query) : query);
