import type { ColumnType } from "@fairway/contract/columns";
import type { RawBuilder } from "kysely";
import type { OrderKey } from "#query/engine.ts";

/** How a source keeps a column's values, as far as comparing and showing them depends on it. */
export type Storage =
  | { readonly kind: "text" }
  /** Shown and compared as text after a cast: enumerations, UUIDs, times of day. */
  | { readonly kind: "other" }
  | { readonly kind: "boolean" }
  /** `narrow`: every value is within ±2^53, so it can leave as a JSON number. */
  | {
      readonly kind: "integer";
      readonly narrow: boolean;
      /** Kept in 128 bits. */
      readonly huge?: true;
      /** Kept in decimal digits, so many at most. */
      readonly digits?: number;
    }
  /** `narrow`: as of integers. Of all digits, `scale` are the fraction. */
  | { readonly kind: "exact-decimal"; readonly narrow: boolean; readonly digits: number; readonly scale: number }
  /** `finite`: the source is known to hold no NaN and no infinity here, which saves a test per row. */
  | { readonly kind: "floating"; readonly single: boolean; readonly finite: boolean }
  | { readonly kind: "instant"; readonly zoned: boolean };

export interface SqlColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly storage: Storage;
}

/** A dataset as its source really is: what the compiler needs besides the question. */
export interface SqlTable {
  readonly from: RawBuilder<unknown>;
  readonly columns: ReadonlyMap<string, SqlColumn>;
  readonly orderBy: readonly OrderKey[];
  /** The order the rows are stored in, where it is known and reading keeps it; null otherwise. */
  readonly storedOrder: readonly OrderKey[] | null;
  /** The same rows with what tells them apart in file order; no position where the source has none. */
  readonly numbered: { readonly from: RawBuilder<unknown>; readonly position: readonly RawBuilder<unknown>[] };
}

/** An edge as its southern end, its northern latitude, and how far east it goes per degree north. */
export interface Edge {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly slope: number;
}

/** What differs between the SQL engines. */
export interface SqlDialect {
  /** A moment as the engine compares it with a stored one. */
  instant(epochMs: bigint, zoned: boolean): RawBuilder<unknown>;
  /** A floating-point parameter of the column's own width: 0.1 must equal a stored single 0.1. */
  floating(value: number, single: boolean): RawBuilder<unknown>;
  asDouble(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A decimal of the given digits, of which `scale` are the fraction. */
  exactDecimal(text: string, digits: number, scale: number): RawBuilder<unknown>;
  /** How many edges of the row's own band pass it on the west, at its latitude; an edge holds its southern end and not its northern. */
  edgesCrossed(
    bands: readonly (readonly Edge[])[],
    band: RawBuilder<unknown>,
    lat: RawBuilder<unknown>,
    lng: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  isFinite(value: RawBuilder<unknown>): RawBuilder<boolean>;
  asText(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whether a text holds another, in any case. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
  /** A number or a moment as a double: moments in the unit that the column travels in. */
  magnitude(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** How many whole widths a time lies after the origin, both in the unit that the column travels in. Never asked of a time before the origin. */
  step(value: RawBuilder<unknown>, column: SqlColumn, origin: bigint, width: bigint): RawBuilder<unknown>;
  /** A row as the text of one JSON object. */
  rowJson(columns: readonly SqlColumn[]): RawBuilder<string>;
  /** A value of this column as JSON text: what an aggregate over it answers. */
  cellJson(value: RawBuilder<unknown>, cell: "count" | "number" | SqlColumn): RawBuilder<string | null>;
  /** An average that does not overflow and ignores nothing but empty values. */
  average(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A sum that whole numbers of 128 bits do not overflow. */
  sum(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
}
