import { type Column, columnTitle, isTimestamp } from "@fairway/contract/columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconPinned } from "#ui/icons/pinned.ts";
import ColumnPicture from "#features/search/results/column-pictures/column-picture.tsx";
import { alignsRight } from "#lib/text/cell-text.ts";
import { coarseNote } from "#parts/reader-part/coarse-columns.ts";
import type { CellsHeader } from "#ui/kit/cells-table.tsx";
import type { ColumnActions, ColumnState } from "./column-actions.ts";
import { ColumnMenuButton } from "./column-menu.tsx";
import classes from "./table.module.css";

const ariaSort = { asc: "ascending", desc: "descending" } as const;

/** The header of a column: what it is, how it is sorted, its values as a picture, and its menu. */
export function headerOf(
  column: Column,
  state: ColumnState,
  actions: ColumnActions,
  distributions: ColumnDistributions | undefined,
): CellsHeader {
  const { name, label, description } = column;
  // The name is what filters, calls and addresses need.
  const coarse = state.coarse === undefined ? "" : coarseNote(state.coarse);
  const about = [label === undefined ? "" : name, description, coarse].filter((text) => text !== "").join("\n");
  const { direction, canSort } = state;
  return {
    label: (
      <>
        {state.isPinned && <IconPinned size={14} aria-label="Pinned" className={classes["pinMark"]} />}
        {alignsRight(column) && <SortArrow state={state} />}
        {state.coarse && (
          <span className={classes["note"]}>
            <span aria-hidden>≈</span>
            <span className="visually-hidden">Coarse values of </span>
          </span>
        )}
        <ColumnName column={column} />
        {!alignsRight(column) && <SortArrow state={state} />}
      </>
    ),
    hint: about === "" ? undefined : about,
    after: (
      <>
        {distributions && (
          <span className={classes["picture"]}>
            <ColumnPicture column={column} distributions={distributions} />
          </span>
        )}
        <ColumnMenuButton state={state} actions={actions} column={column} distributions={distributions} />
      </>
    ),
    sorted: direction && ariaSort[direction],
    sort: canSort ? (several) => actions.toggleSort(name, several) : undefined,
  };
}

/** The name with the unit; cells show bare values. The time zone is shown once, below the table. */
export function ColumnName({ column }: { column: Column }) {
  const note = isTimestamp(column.type) ? "" : (column.unit ?? "");
  return (
    <>
      <span className={classes["name"]}>{columnTitle(column)}</span>
      {note !== "" && <small className={classes["note"]}>{note}</small>}
    </>
  );
}

function SortArrow({ state: { direction, sortRank } }: { state: ColumnState }) {
  if (!direction) return null;
  const Arrow = direction === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <span className={classes["arrow"]} aria-hidden>
      <Arrow size={14} />
      {sortRank}
    </span>
  );
}
