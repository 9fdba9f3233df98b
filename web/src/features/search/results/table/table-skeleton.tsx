import type { Column } from "@fairway/contract/columns";
import type { CSSProperties } from "react";
import { alignsRight } from "#lib/text/cell-text.ts";
import { useDelayElapsed } from "#ui/states.tsx";
import type { ColumnLayout } from "./column-layout.ts";
import { headerHeights, rowHeights, type RowSize } from "./table-props.ts";
import { ColumnNote } from "./table-header.tsx";
import { cellClass, cellStyle } from "./table-row.tsx";
import { useTableColumns } from "./use-table-columns.ts";
import classes from "./table.module.css";

const skeletonRows = 25;
const barWidths = [62, 44, 78, 53, 69];

/** A skeleton in the shape of the table while the first rows load. It takes up its space at once; the bars appear after 150 ms. */
export function TableSkeleton({
  columns,
  layout,
  label,
  rowSize,
  hasPictures,
}: {
  columns: readonly Column[];
  layout: ColumnLayout;
  label: string;
  rowSize: RowSize;
  hasPictures: boolean;
}) {
  const rowHeightPx = rowHeights[rowSize];
  const late = useDelayElapsed();
  const { placed, totalWidth } = useTableColumns(columns, noRows, layout);
  return (
    <div
      role="status"
      aria-label={label}
      className={classes["wrap"]}
      style={{ overflow: "hidden", "--row-h": `${rowHeightPx}px` } as CSSProperties}
    >
      <div className={classes["head"]} style={{ width: totalWidth }}>
        <div className={classes["headRow"]} style={{ height: headerHeights[hasPictures ? "withPictures" : "plain"] - 1 }}>
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
        {Array.from({ length: skeletonRows }, (_, row) => (
          <div key={row} className={classes["row"]} style={{ transform: `translateY(${row * rowHeightPx}px)`, width: totalWidth }}>
            {late &&
              placed.map((column, index) => (
                <div key={column.column.name} className={cellClass(column, "cell")} style={cellStyle(column)}>
                  <span
                    className={classes["bar"]}
                    style={{ width: alignsRight(column.column) ? 32 : `${barWidths[(row + index) % barWidths.length]}%` }}
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
