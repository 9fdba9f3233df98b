import { type CSSProperties, memo, type ReactNode } from "react";
import { useDelayElapsed } from "#ui/states.tsx";
import type { CellsColumn } from "./use-cells.ts";
import { type Placed, widthOf } from "./use-virtual-cells.ts";
import classes from "./kit.module.css";

export interface Cell<Row, Column> {
  row: Row;
  index: number;
  column: Placed<Column>;
  /** It is the tab stop. */
  isActive: boolean;
  /** The pointer is on it. */
  isHovered: boolean;
  isMarked: boolean;
  /** The tab stop or the pointer is in its row. */
  isInCurrentRow: boolean;
}

interface BodyRowProps<Row, Column> {
  row: Row;
  index: number;
  top: number;
  width: number;
  columns: readonly Placed<Column>[];
  cell: (cell: Cell<Row, Column>) => ReactNode;
  active: string | null;
  hovered: string | null;
  found: string | null;
  isMarked: boolean;
  isOpened: boolean;
}

// While scrolling, rows stay as they are.
export const BodyRow = memo(function BodyRow<Row, Column extends CellsColumn>(props: BodyRowProps<Row, Column>) {
  const { row, index, top, width, columns, cell, active, hovered, found, isMarked, isOpened } = props;
  const isInCurrentRow = active !== null || hovered !== null;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpened || isMarked}
      className={classes["cellsRow"]}
      style={{ transform: `translateY(${top}px)`, width }}
    >
      {columns.map((column) => {
        const isActive = column.id === active;
        return (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={column.index}
            tabIndex={isActive ? 0 : -1}
            data-row={index + 1}
            data-column={column.id}
            data-current={column.id === found || undefined}
            {...placeOf(column)}
            className={classes["cell"]}
          >
            {cell({ row, index, column, isActive, isHovered: column.id === hovered, isMarked, isInCurrentRow })}
          </div>
        );
      })}
    </div>
  );
}) as <Row, Column extends CellsColumn>(props: BodyRowProps<Row, Column>) => ReactNode;

/** Pinned cells are sticky; the others are positioned absolutely, so that only visible ones are rendered. */
export const placeOf = (column: Placed<CellsColumn>) => ({
  "data-first": column.index === 1 || undefined,
  "data-pinned": column.isPinned || undefined,
  "data-align": column.align,
  "data-mono": column.mono || undefined,
  style: { position: column.isPinned ? "sticky" : "absolute", left: column.left, width: column.fullWidth } as const,
});

const skeletonRows = 25;
const barWidths = [62, 44, 78, 53, 69];

interface SkeletonProps<Column> {
  label: string;
  columns: readonly Placed<Column>[];
  rowPx: number;
  headPx: number;
  labelOf: (column: Column) => ReactNode;
}

/** A skeleton in the shape of the table while the first rows load. It takes up its space at once; the bars appear after 150 ms. */
export function CellsSkeleton<Column extends CellsColumn>({ label, columns, rowPx, headPx, labelOf }: SkeletonProps<Column>) {
  const late = useDelayElapsed();
  const width = widthOf(columns);
  return (
    <div
      role="status"
      aria-label={label}
      className={classes["cells"]}
      style={{ overflow: "hidden", "--row-h": `${rowPx}px` } as CSSProperties}
    >
      <div className={classes["cellsHead"]} style={{ width }}>
        <div className={classes["cellsHeadRow"]} style={{ height: headPx - 1 }}>
          {columns.map((column) => (
            <div key={column.id} {...placeOf(column)} className={classes["headerCell"]}>
              <span className={classes["label"]}>{labelOf(column)}</span>
            </div>
          ))}
        </div>
      </div>
      <div className={classes["cellsBody"]} style={{ width }}>
        {Array.from({ length: skeletonRows }, (_, row) => (
          <div key={row} className={classes["cellsRow"]} style={{ transform: `translateY(${row * rowPx}px)`, width }}>
            {late &&
              columns.map((column, at) => (
                <div key={column.id} {...placeOf(column)} className={classes["cell"]}>
                  <span className={classes["bar"]} style={{ width: column.align ? 32 : `${barWidths[(row + at) % barWidths.length]}%` }} />
                </div>
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}
