import { formatCount, formatList, pluralize } from "@fairway/contract/counts";
import { LoadingRows } from "#ui/states.tsx";
import type { ParquetTable } from "./parquet-rows.ts";
import { loadParquet } from "./parquet-table.ts";
import type { ViewProps } from "../preview-type.ts";
import { TableView } from "../table-view.tsx";
import { useFile } from "../use-file.ts";

/** A Parquet file: its columns and first rows. */
export function ParquetView(props: ViewProps) {
  const table = useFile(props, loadParquet);
  if (table === null) return <LoadingRows label="Loading preview" />;
  const { totalRows, totalColumns } = table;
  const summary = `${pluralize(totalRows, "row")}, ${pluralize(totalColumns, "column")}`;
  return <TableView table={table} summary={summary} note={noteOf(table)} />;
}

const maxNamed = 3;

function noteOf({ columns, rows, totalRows, totalColumns, unread }: ParquetTable): string | undefined {
  const named = unread.slice(0, maxNamed).map(({ name, reason }) => `${name} (${reason})`);
  const more = unread.length - named.length;
  const notes = [
    rows.length < totalRows ? `Shows the first ${pluralize(rows.length, "row")}.` : "",
    columns.length < totalColumns ? `Shows the first ${pluralize(columns.length, "column")}.` : "",
    unread.length > 0 ? `Not shown: ${formatList(more > 0 ? [...named, `${formatCount(more)} more`] : named)}.` : "",
  ];
  return notes.filter((note) => note !== "").join(" ") || undefined;
}
