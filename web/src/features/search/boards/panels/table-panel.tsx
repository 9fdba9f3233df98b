import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { alignsRight, cellText } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import classes from "./panels.module.css";

interface Props {
  title: string;
  columns: readonly Column[];
  rows: readonly ResultRow[];
  coarse: CoarseColumns;
}

/** The first rows of a panel. */
export default function TablePanel({ title, columns, rows, coarse }: Props) {
  const zone = useResultZone();
  if (rows.length === 0) return <p className={classes["nothing"]}>No rows.</p>;
  return (
    <DataTable
      columns={columns.map((column): TableColumn<ResultRow> => ({
        id: column.name,
        header: (
          <>
            <CoarseMark form={coarse.get(column.name)} />
            {column.name}
          </>
        ),
        align: alignsRight(column) ? "end" : undefined,
        cell: (row) => cellText(column, row, zone) ?? "",
      }))}
      rows={rows}
      // Rows have no keys of their own.
      rowKey={(_, index) => index}
      scroll={{ role: "region", label: `Rows of ${title}`, fills: true, className: classes["tableScroller"] }}
      hasStickyHead
      holdsValues
      className={classes["table"]}
    />
  );
}
