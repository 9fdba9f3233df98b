import type { NumberKind } from "@fairway/expressions/tree";
import { type RawBuilder, sql } from "kysely";

export type Sql = RawBuilder<unknown>;

/** Computes a value on its own before, and returns its name, so that it can be used more than once. */
export type Bind = (value: Sql) => Sql;

/**
 * How values are held while they are computed: texts, 64-bit integers, doubles that are finite, booleans, and times as 64-bit integers of
 * milliseconds since 1970.
 */
export type ValueKind = "text" | NumberKind | "boolean" | "time";

const sqlTypes: Readonly<Record<ValueKind, Sql>> = {
  text: sql`varchar`,
  integer: sql`bigint`,
  decimal: sql`double`,
  boolean: sql`boolean`,
  time: sql`bigint`,
};

export const noValue = (kind: ValueKind): Sql => sql`cast(null as ${sqlTypes[kind]})`;
