import type { Column } from "@fairway/contract/columns";
import { alignsRight } from "#lib/cell-text.ts";
import { useLate } from "#ui/states.tsx";
import type { ColumnLayout } from "./column-layout.ts";
import { rowHeightPx } from "./table-props.ts";
import { ColumnNote } from "./table-header.tsx";
import { cellClass, cellStyle } from "./table-row.tsx";
import { useTableColumns } from "./use-table-columns.ts";
import classes from "./result-table.module.css";

const rowsShown = 25;
const shares = [62, 44, 78, 53, 69];

/** The table's own shape while its first rows are on their way. The place is kept at once, the bars come after 150 ms. */
export function TableSkeleton({ columns, layout, label }: { columns: readonly Column[]; layout: ColumnLayout; label: string }) {
  const late = useLate();
  const { placed, totalWidth } = useTableColumns({ columns, rows: noRows, layout, onLayoutChange: ignore });
  return (
    <div role="status" aria-label={label} className={classes["wrap"]} style={{ overflow: "hidden" }}>
      <div className={classes["head"]} style={{ width: totalWidth }}>
        <div className={classes["headRow"]}>
          {placed.map((column) => (
            <div key={column.column.name} className={cellClass(column, "headerCell")} style={cellStyle(column)}>
              <span className={classes["label"]}>
                <span className={classes["name"]}>{column.column.name}</span>
                <ColumnNote column={column.column} />
              </span>
            </div>
          ))}
        </div>
      </div>
      <div className={classes["body"]} style={{ width: totalWidth }}>
        {Array.from({ length: rowsShown }, (_, row) => (
          <div key={row} className={classes["row"]} style={{ transform: `translateY(${row * rowHeightPx}px)`, width: totalWidth }}>
            {late &&
              placed.map((column, at) => (
                <div key={column.column.name} className={cellClass(column, "cell")} style={cellStyle(column)}>
                  <span
                    className={classes["bar"]}
                    style={{ width: alignsRight(column.column) ? 32 : `${shares[(row + at) % shares.length]}%` }}
                  />
                </div>
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const noRows: never[] = [];
const ignore = (): void => {};
