import type { Column } from "@fairway/contract/columns";
import { inferColumns } from "@fairway/contract/inferred-columns";
import type { ResultRow } from "@fairway/contract/search";

/** The dataset's columns; where it names none (some upstream services), the ones that the rows have. */
export const columnsOf = (schemaColumns: readonly Column[], rows: readonly ResultRow[]): readonly Column[] =>
  schemaColumns.length > 0 ? schemaColumns : inferColumns(rows);
