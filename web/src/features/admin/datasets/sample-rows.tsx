import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { DataTable } from "#ui/kit/data-table.tsx";
import classes from "./datasets.module.css";

interface Props {
  columns: readonly Column[];
  rows: readonly Record<string, unknown>[];
  /** The most rows that are shown. */
  limit?: number;
}

/** The first rows of data, as a dataset with these columns shows them. */
export function SampleRows({ columns, rows, limit = 10 }: Props) {
  return (
    <DataTable
      columns={columns.map((column) => ({
        id: column.name,
        header: (
          <>
            {column.name} <span>{column.combined?.type ?? column.type}</span>
          </>
        ),
        cell: (row) => cellText(column, row as ResultRow),
      }))}
      rows={rows.slice(0, limit)}
      // Sample rows have no other key.
      rowKey={(_, index) => index}
      scroll={{ role: "region", label: "Sample", fills: true, className: classes["sample"] }}
      head="panel"
      holdsValues
      className={classes["values"]}
    />
  );
}
