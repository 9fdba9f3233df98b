import { sql } from "kysely";
import type { OrderKey, QueryableDataset } from "#query/engine.ts";
import { type MatchedColumns, matchColumns } from "#query/sql/described-columns.ts";
import { comparable } from "#query/sql/operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "#query/sql/table.ts";
import { isOrderable, storageOf } from "./column-types.ts";
import type { TableMetadata } from "./table-metadata.ts";

const words = { has: "its table has", contains: "its table contains" };

/** The described columns as the table stores them. */
export const matchTable = (described: QueryableDataset["columns"], metadata: TableMetadata): MatchedColumns =>
  matchColumns(
    described,
    ({ name }) => {
      const found = columnOf(metadata, name);
      if (found === undefined) return undefined;
      const { type, typeText } = found;
      const storage = storageOf(type);
      return { typeText, storage: storage.kind === "other" ? { ...storage, sourceType: typeText } : storage };
    },
    words,
  );

/** Servers take names in any case and describe them in lower case. */
const columnOf = ({ columns }: TableMetadata, name: string) => columns.get(name) ?? columns.get(name.toLowerCase());

/**
 * A table with the described columns. Its rows have no order of their own, so every order ends with all columns: rows that are
 * equal in all of them cannot be told apart.
 */
export function tableOf(
  { orderBy }: { readonly orderBy: readonly OrderKey[] },
  columns: ReadonlyMap<string, SqlColumn>,
  metadata: TableMetadata,
  dialect: SqlDialect,
): SqlTable {
  const inOrder = [...columns.values()].toSorted((one, other) => sortCost(one, metadata) - sortCost(other, metadata));
  const position = inOrder.map((column) => {
    const found = columnOf(metadata, column.name);
    return found !== undefined && isOrderable(found.type) ? sql`${sql.id(column.name)}` : comparable(column, dialect);
  });
  const [first] = inOrder;
  return {
    from: metadata.from,
    columns,
    // The same order, named: rows are looked for by what they are sorted by first.
    orderBy: orderBy.length === 0 && first !== undefined && isPlain(first) ? [{ column: first.name, direction: "asc" }] : orderBy,
    storedOrder: null,
    numbered: { from: metadata.from, position, isFileOrder: false },
  };
}

/** Whether it is sorted by as it is compared. */
const isPlain = ({ type, storage }: SqlColumn): boolean =>
  storage.kind !== "other" && storage.kind !== "floating" && (type !== "STRING" || storage.kind === "text");

/** Structures are compared last. */
const sortCost = ({ name }: SqlColumn, metadata: TableMetadata): number => {
  const found = columnOf(metadata, name);
  return found === undefined || !isOrderable(found.type) ? 2 : found.type.inner.length > 0 ? 1 : 0;
};
