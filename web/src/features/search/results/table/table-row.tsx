import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { IconFilterMinus } from "#ui/icons/filter-minus.ts";
import { IconFilterPlus } from "#ui/icons/filter-plus.ts";
import { IconFolderOpen } from "#ui/icons/folder-open.ts";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import { type ReactNode, memo } from "react";
import { alignsRight, cellText, cutText, coordinatesOf, filesetPathOf, readsAsCode } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { type ValueOperator, canFilterByValue } from "#parts/filters/value-filter.ts";
import { alignmentOf } from "./fraction-digits.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import classes from "./table.module.css";
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
  /** Columns of decimals, with their digits after the point. */
  fractions: ReadonlyMap<string, number>;
  isSelected: boolean;
  isMarked: boolean;
  find: RegExp | null;
  /** The column of the current match, if it is in this row. */
  matchColumn: string | undefined;
  cellTextCharacters: number;
}

/** One row. The grid handles clicks and keys; cells identify themselves by data attributes. */
export const TableRow = memo(function TableRow({ row, index, top, totalWidth, pinned, center, isSelected, ...shared }: TableRowProps) {
  const zone = useResultZone();
  const hasMark = shared.isMarked || shared.activeColumn !== undefined || shared.hoveredColumn !== undefined;
  const cell = (placed: PlacedColumn) => (
    <Cell key={placed.column.name} row={row} index={index} placed={placed} zone={zone} hasMark={hasMark} {...shared} />
  );
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected || shared.isMarked}
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
  | "row"
  | "index"
  | "activeColumn"
  | "hoveredColumn"
  | "filterable"
  | "fractions"
  | "isMarked"
  | "find"
  | "matchColumn"
  | "cellTextCharacters"
> & {
  hasMark: boolean;
  placed: PlacedColumn;
  zone: string;
};

function Cell({
  row,
  index,
  placed,
  zone,
  hasMark,
  isMarked,
  activeColumn,
  hoveredColumn,
  filterable,
  fractions,
  find,
  matchColumn,
  cellTextCharacters,
}: CellProps) {
  const { column } = placed;
  const isActive = column.name === activeColumn;
  const isCurrent = column.name === matchColumn;
  const text = cellText(column, row, zone);
  const opened = text === null ? null : openedValue(column, row, text);
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
      {placed.isFirst && hasMark && (
        <input
          type="checkbox"
          className={classes["mark"]}
          tabIndex={-1}
          data-mark
          checked={isMarked}
          readOnly
          aria-label={`Select row ${index + 1}`}
          title="Select to compare (Space)"
        />
      )}
      {text === null ? (
        <NoValue />
      ) : opened === null ? (
        <CellText
          column={column}
          text={text}
          limit={cellTextCharacters}
          find={find}
          isActive={isActive}
          pad={alignmentOf(text, fractions.get(column.name))}
        />
      ) : (
        <button
          type="button"
          className={classes["link"]}
          tabIndex={isActive ? 0 : -1}
          data-see-more={column.name}
          aria-label={opened.label}
          title={opened.title}
        >
          {opened.icon}
          <span className={classes["text"]}>
            <Highlighted text={text} find={find} />
          </span>
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
  pad,
}: {
  column: Column;
  text: string;
  limit: number;
  find: RegExp | null;
  isActive: boolean;
  /** Invisible digits that follow a number. */
  pad: string | undefined;
}) {
  const cut = cutText(text, limit);
  return (
    <>
      <span className={classes["text"]} {...(pad === undefined ? {} : { "data-pad": pad })}>
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

/** How a value is opened: a position on a map, a file in the file browser; null for other values. */
export function openedValue(column: Column, row: ResultRow, text: string): { label: string; title: string; icon: ReactNode } | null {
  if (coordinatesOf(column, row) !== null) {
    return { label: `Show ${text} on the map`, title: "Show on the map", icon: <IconMapPin size={16} aria-hidden /> };
  }
  if (filesetPathOf(column, row) === null) return null;
  return { label: `Open ${text}`, title: "Open in the file browser", icon: <IconFolderOpen size={16} aria-hidden /> };
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
