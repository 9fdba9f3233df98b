import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { IconFilterMinus, IconFilterPlus, IconFolderOpen, IconMapPin } from "@tabler/icons-react";
import { type ReactNode, memo } from "react";
import { alignsRight, cellText, cutText, coordinatesOf, filesetPathOf, readsAsCode } from "#lib/cell-text.ts";
import { useResultZone } from "#lib/result-zone.ts";
import { type ValueOperator, canFilterByValue } from "#parts/filters/value-filter.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import classes from "./result-table.module.css";
import type { PlacedColumn } from "./use-table-columns.ts";

interface TableRowProps {
  row: ResultRow;
  /** Zero-based among the loaded rows. */
  index: number;
  top: number;
  totalWidth: number;
  pinned: readonly PlacedColumn[];
  center: readonly PlacedColumn[];
  /** The column of the focusable cell, if it is in this row. */
  activeColumn: string | undefined;
  /** The hovered column, if it is in this row. */
  hoveredColumn: string | undefined;
  /** Columns whose values can be filtered by. */
  filterable: ReadonlySet<string>;
  isSelected: boolean;
  find: RegExp | null;
  /** The column of the current match, if it is in this row. */
  matchColumn: string | undefined;
  cellTextCharacters: number;
}

/** One row. The grid handles clicks and keys; cells identify themselves by data attributes. */
export const TableRow = memo(function TableRow({ row, index, top, totalWidth, pinned, center, isSelected, ...shared }: TableRowProps) {
  const zone = useResultZone();
  const cell = (placed: PlacedColumn) => <Cell key={placed.column.name} row={row} index={index} placed={placed} zone={zone} {...shared} />;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={classes["row"]}
      style={{ transform: `translateY(${top}px)`, width: totalWidth }}
    >
      {pinned.map(cell)}
      {center.map(cell)}
    </div>
  );
});

type CellProps = Pick<
  TableRowProps,
  "row" | "index" | "activeColumn" | "hoveredColumn" | "filterable" | "find" | "matchColumn" | "cellTextCharacters"
> & {
  placed: PlacedColumn;
  zone: string;
};

function Cell({ row, index, placed, zone, activeColumn, hoveredColumn, filterable, find, matchColumn, cellTextCharacters }: CellProps) {
  const { column } = placed;
  const isActive = column.name === activeColumn;
  const isCurrent = column.name === matchColumn;
  const text = cellText(column, row, zone);
  return (
    <div
      role="gridcell"
      aria-colindex={placed.index}
      tabIndex={isActive ? 0 : -1}
      data-row={index + 1}
      data-column={column.name}
      {...(isCurrent ? { "data-current": true } : {})}
      className={cellClass(placed)}
      style={cellStyle(placed)}
    >
      {text === null ? <NoValue /> : <CellText column={column} text={text} limit={cellTextCharacters} find={find} isActive={isActive} />}
      {coordinatesOf(column, row) !== null && (
        <button
          type="button"
          className={classes["pin"]}
          tabIndex={isActive ? 0 : -1}
          data-see-more={column.name}
          aria-label={`Show ${text} on the map`}
          title="Show on the map"
        >
          <IconMapPin size={16} aria-hidden />
        </button>
      )}
      {filesetPathOf(column, row) !== null && (
        <button
          type="button"
          className={classes["pin"]}
          tabIndex={isActive ? 0 : -1}
          data-see-more={column.name}
          aria-label={`Open ${text}`}
          title="Open in the file browser"
        >
          <IconFolderOpen size={16} aria-hidden />
        </button>
      )}
      {(isActive || column.name === hoveredColumn) && filterable.has(column.name) && canFilterByValue(row[column.name]) && (
        <ValueFilters name={column.name} text={text ?? ""} isActive={isActive} />
      )}
    </div>
  );
}

function CellText({
  column,
  text,
  limit,
  find,
  isActive,
}: {
  column: Column;
  text: string;
  limit: number;
  find: RegExp | null;
  isActive: boolean;
}) {
  const cut = cutText(text, limit);
  return (
    <>
      <span className={classes["text"]}>
        <Highlighted text={cut.text} find={find} />
        {cut.isCut && "…"}
      </span>
      {cut.isCut && (
        <button type="button" className={classes["more"]} tabIndex={isActive ? 0 : -1} data-see-more={column.name}>
          See More
        </button>
      )}
    </>
  );
}

/** Buttons to keep only or exclude rows with this value, shown over the end of an active or hovered cell. */
function ValueFilters({ name, text, isActive }: { name: string; text: string; isActive: boolean }) {
  const shown = cutText(text, 40).text;
  const button = (operator: ValueOperator, label: string, icon: ReactNode) => (
    <button
      type="button"
      tabIndex={isActive ? 0 : -1}
      data-value-filter={operator}
      aria-label={`${label} ${name} ${shown}`}
      title={`${label} this value`}
    >
      {icon}
    </button>
  );
  return (
    <span className={classes["valueFilters"]} data-active={isActive || undefined}>
      {button("=", "Keep only", <IconFilterPlus size={14} aria-hidden />)}
      {button("<>", "Leave out", <IconFilterMinus size={14} aria-hidden />)}
    </span>
  );
}

/** A missing value, distinguished from an empty text. */
export function NoValue() {
  return (
    <span className={classes["noValue"]}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">no value</span>
    </span>
  );
}

export function cellClass({ column, isPinned, isFirst }: PlacedColumn, own = "cell"): string {
  return [
    classes[own],
    alignsRight(column) && classes["right"],
    readsAsCode(column) && own === "cell" && classes["code"],
    isPinned && classes["pinned"],
    isFirst && classes["first"],
  ]
    .filter(Boolean)
    .join(" ");
}

/** Pinned cells are sticky; the others are positioned absolutely, so that only visible ones are rendered. */
export const cellStyle = ({ isPinned, left, width }: PlacedColumn): { left: number; width: number; position: "sticky" | "absolute" } => ({
  position: isPinned ? "sticky" : "absolute",
  left,
  width,
});
