import { pluralize } from "@fairway/contract/counts";
import { useMemo } from "react";
import { sizeText } from "#lib/text/size-text.ts";
import { LoadingRows } from "#ui/states.tsx";
import { csvPartBytes, type CsvTable, loadTable } from "./csv-table.ts";
import { type PreviewFile, textLimitBytes, type ViewProps } from "../preview-type.ts";
import type { TableData } from "../table-data.ts";
import { TableView } from "../table-view.tsx";
import { useFile } from "../use-file.ts";

/** A CSV or TSV file; of a large one the first rows. */
export function CsvView(props: ViewProps) {
  const table = useFile(props, loadTable);
  return table === null ? <LoadingRows label="Loading preview" /> : <Table table={table} file={props.file} />;
}

function Table({ table, file }: { table: CsvTable; file: PreviewFile }) {
  const { rows, columns, shownColumns, isCut, readingNote, brokenRows } = table;
  const data = useMemo(() => dataOf(table), [table]);
  const first = `Shows the first ${pluralize(rows.length, "row")}`;
  const isPart = file.size > textLimitBytes;
  const notes = [
    isPart ? `${first}, read from the first ${sizeText(csvPartBytes)} of ${sizeText(file.size)}.` : isCut ? `${first}.` : "",
    columns > shownColumns ? `Shows the first ${shownColumns.toLocaleString("en-US")} columns.` : "",
    brokenRows.length === 0
      ? ""
      : `Left out because of text after a closing quote: row ${brokenRows.map((row) => row.toLocaleString("en-US")).join(", ")}.`,
    readingNote,
  ];
  const note = notes.filter((text) => text !== "").join(" ");
  return (
    <TableView
      table={data}
      summary={isPart || isCut ? pluralize(columns, "column") : `${pluralize(rows.length, "row")}, ${pluralize(columns, "column")}`}
      note={note === "" ? undefined : note}
    />
  );
}

function dataOf({ header, rows, shownColumns }: CsvTable): TableData {
  const sample = rows.slice(0, 100);
  const columns = Array.from({ length: shownColumns }, (_, column) => {
    const filled = sample.map((row) => row[column] ?? "").filter((text) => text.trim() !== "");
    return { name: header[column] ?? "", isNumeric: filled.length > 0 && filled.every((text) => !Number.isNaN(Number(text))) };
  });
  return { columns, rows };
}
