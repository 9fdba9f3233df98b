import { type RawBuilder, sql } from "kysely";
import type { SqlDialect } from "../table.ts";
import type { AxisRows } from "./axis-rows.ts";

/** Rows that have no place among the entries of an axis. */
export const noPlace = { empty: -1, outside: -2, other: -3 } as const;

/** Rows by a number that is the place of their entry, or one of `noPlace`. */
export function placedRows(
  axis: number,
  place: RawBuilder<unknown>,
  entries: { readonly count: number } & { readonly [Name in keyof typeof noPlace]?: number | undefined },
  dialect: SqlDialect,
): AxisRows {
  const name = sql`${sql.id(`k${axis}`)}`;
  return {
    columns: [sql`${place} as ${name}`],
    names: [name],
    shown: [dialect.asText(name)],
    placeOf: ([text = null]) => {
      const found = text === null ? noPlace.empty : Number(text);
      if (found >= 0) return found < entries.count ? found : undefined;
      return found === noPlace.empty ? entries.empty : found === noPlace.outside ? entries.outside : entries.other;
    },
  };
}
