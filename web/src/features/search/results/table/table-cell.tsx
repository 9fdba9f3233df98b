import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { IconFilterMinus } from "#ui/icons/filter-minus.ts";
import { IconFilterPlus } from "#ui/icons/filter-plus.ts";
import { IconFolderOpen } from "#ui/icons/folder-open.ts";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import type { ReactNode } from "react";
import { cellText, cutText, coordinatesOf, filesetPathOf } from "#lib/text/cell-text.ts";
import { type ValueOperator, canFilterByValue } from "#parts/filters/value-filter.ts";
import type { Cell } from "#ui/kit/cells-rows.tsx";
import type { TableColumn } from "./column-width.ts";
import { alignmentOf } from "./fraction-digits.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import classes from "./table.module.css";

interface Props extends Cell<ResultRow, TableColumn> {
  zone: string;
  /** Columns whose values can be filtered by. */
  filterable: ReadonlySet<string>;
  /** Columns of decimals, with their digits after the point. */
  fractions: ReadonlyMap<string, number>;
  find: RegExp | null;
  cellTextCharacters: number;
}

/** The content of a cell. The table handles clicks and keys; controls identify themselves by data attributes. */
export function ResultCell(props: Props) {
  const { row, index, isActive, isMarked, filterable, fractions, find } = props;
  const { column } = props.column;
  const text = cellText(column, row, props.zone);
  const opened = text === null ? null : openedValue(column, row, text);
  return (
    <>
      {props.column.index === 1 && (isMarked || props.isInCurrentRow) && (
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
          limit={props.cellTextCharacters}
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
      {(isActive || props.isHovered) && filterable.has(column.name) && canFilterByValue(row[column.name]) && (
        <ValueFilters name={column.name} text={text ?? ""} isActive={isActive} />
      )}
    </>
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
