import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconPinned } from "#ui/icons/pinned.ts";
import { memo, type MouseEvent } from "react";
import ColumnPicture from "#features/search/results/column-pictures/column-picture.tsx";
import { alignsRight } from "#lib/text/cell-text.ts";
import type { ColumnActions, ColumnState, Direction } from "./column-actions.ts";
import type { ColumnDrag } from "./column-drag.ts";
import { ColumnMenuButton } from "./column-menu-button.tsx";
import classes from "./table.module.css";
import { cellClass, cellStyle } from "./table-row.tsx";
import type { PlacedColumn } from "./use-table-columns.ts";

interface HeaderCellProps extends ColumnState {
  placed: PlacedColumn;
  distributions: ColumnDistributions | undefined;
  isActive: boolean;
  drag: ColumnDrag["side"] | "source" | undefined;
  actions: ColumnActions;
}

const ariaSort = { asc: "ascending", desc: "descending" } as const;

export const HeaderCell = memo(function HeaderCell({ placed, distributions, isActive, drag, actions, ...state }: HeaderCellProps) {
  const { column } = placed;
  const { direction, sortRank, canSort } = state;
  const click = (event: MouseEvent) => {
    if (canSort && !actions.wasDragged()) actions.clickSort(column.name, event.shiftKey);
  };
  return (
    <div
      role="columnheader"
      aria-colindex={placed.index}
      {...(direction ? { "aria-sort": ariaSort[direction] } : {})}
      tabIndex={isActive ? 0 : -1}
      data-row={0}
      data-column={column.name}
      {...(drag ? { "data-drag": drag } : {})}
      className={cellClass(placed, "headerCell")}
      style={cellStyle(placed)}
    >
      <button
        type="button"
        tabIndex={-1}
        className={classes["label"]}
        {...(column.description === "" ? {} : { title: column.description })}
        aria-disabled={!canSort}
        onPointerDown={(event) => actions.startDrag(event, column.name)}
        onClick={click}
      >
        {placed.isPinned && <IconPinned size={14} aria-label="Pinned" className={classes["pinMark"]} />}
        {alignsRight(column) && <SortArrow direction={direction} rank={sortRank} />}
        <span className={classes["name"]}>{column.name}</span>
        <ColumnNote column={column} />
        {!alignsRight(column) && <SortArrow direction={direction} rank={sortRank} />}
      </button>
      {distributions && (
        <span className={classes["picture"]}>
          <ColumnPicture column={column} distributions={distributions} />
        </span>
      )}
      <ColumnMenuButton name={column.name} state={state} actions={actions} column={column} distributions={distributions} />
      {/* The keyboard resizes from the header with Shift+Left and Shift+Right. */}
      <span
        aria-hidden
        className={classes["resizer"]}
        onPointerDown={(event) => actions.startResize(event, column.name)}
        onDoubleClick={() => actions.resetWidth(column.name)}
      />
    </div>
  );
});

/** The unit after the column name; cells show bare values. The time zone is shown once, below the table. */
export function ColumnNote({ column }: { column: Column }) {
  const note = isTimestamp(column.type) ? "" : (column.unit ?? "");
  return note === "" ? null : <small className={classes["note"]}>{note}</small>;
}

function SortArrow({ direction, rank }: { direction: Direction | undefined; rank: number | undefined }) {
  if (!direction) return null;
  const Arrow = direction === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <span className={classes["arrow"]} aria-hidden>
      <Arrow size={14} />
      {rank}
    </span>
  );
}
