import type { Column } from "@fairway/contract/columns";
import type { SortKey } from "@fairway/contract/search";
import { useEffect, useMemo, useRef } from "react";
import type { SummaryStart } from "#features/search/summaries/model/new-summary.ts";
import { announce } from "#ui/announcer.tsx";
import type { ColumnArranging } from "#ui/kit/cells-table.tsx";
import { moveColumn, moveColumnBy, withHidden, withPinned, withWidth } from "./column-layout.ts";
import type { ShownForm } from "#parts/reader-part/coarse-columns.ts";
import type { AddedAs, ResultTableProps } from "./table-props.ts";

export type Direction = SortKey["direction"];

export const directionOf = (sort: readonly SortKey[], column: string): Direction | undefined =>
  sort.find((key) => key.column === column)?.direction;

/** The sort after a click on a header: ascending, descending, none. `several` keeps the other sort keys. */
export function toggleSort(sort: readonly SortKey[], column: string, several: boolean): SortKey[] {
  const direction = directionOf(sort, column);
  return withSort(sort, column, direction === undefined ? "asc" : direction === "asc" ? "desc" : undefined, several);
}

/** The sort with this column in this direction; undefined removes the column. */
export function withSort(sort: readonly SortKey[], column: string, direction: Direction | undefined, several: boolean): SortKey[] {
  const key = direction === undefined ? [] : [{ column, direction }];
  if (!several) return key;
  const index = sort.findIndex((other) => other.column === column);
  return index < 0 ? [...sort, ...key] : [...sort.slice(0, index), ...key, ...sort.slice(index + 1)];
}

/** Actions of a header and its menu. */
export interface ColumnActions extends ColumnArranging {
  sort: (name: string, direction: Direction | undefined) => void;
  /** A click on the header: ascending, descending, none; `several` (Shift) keeps the other sort keys. */
  toggleSort: (name: string, several: boolean) => void;
  filter: (column: Column) => void;
  profile: (column: Column) => void;
  graph: (column: Column) => void;
  summarize: (start: SummaryStart) => void;
  compute: (added: string | null) => void;
  /** Opens the lookup that has added a column, or a new one by a key column. */
  lookUp: (column: string) => void;
  remove: (added: string) => void;
  pin: (name: string, pinned: boolean) => void;
  hide: (name: string) => void;
}

export interface ColumnState {
  direction: Direction | undefined;
  /** One-based position among several sort keys; undefined for a single one. */
  sortRank: number | undefined;
  canSort: boolean;
  canFilter: boolean;
  /** False for combined columns. */
  canProfile: boolean;
  /** False for combined columns, and if the search has no graphs. */
  canGraph: boolean;
  /** False for combined columns, and if the search has no summaries. */
  canSummarize: boolean;
  /** False if the search can add no columns. */
  canCompute: boolean;
  /** False if the search has as many as it may have. */
  canAdd: boolean;
  canLookUp: boolean;
  /** How the search has added it; undefined for a column of the dataset. */
  addedAs: AddedAs | undefined;
  /** How its values are coarse to the reader; undefined if they are not. */
  coarse: ShownForm | undefined;
  isPinned: boolean;
  canMoveLeft: boolean;
  canMoveRight: boolean;
  hasOwnWidth: boolean;
}

/** The direction and rank of a column in the sort. */
export function sortStateOf(sort: readonly SortKey[], name: string): Pick<ColumnState, "direction" | "sortRank"> {
  const index = sort.findIndex((key) => key.column === name);
  return { direction: sort[index]?.direction, sortRank: index >= 0 && sort.length > 1 ? index + 1 : undefined };
}

type Options = Pick<
  ResultTableProps,
  | "layout"
  | "onLayoutChange"
  | "sort"
  | "onSort"
  | "onFilter"
  | "onProfile"
  | "onGraph"
  | "onSummarize"
  | "onCompute"
  | "onLookUp"
  | "onRemove"
> & {
  /** The visible columns in their order. */
  names: readonly string[];
  focusHeader: (name: string) => void;
};

/** A stable object, so that headers re-render only when their state changes. */
export function useColumnActions(options: Options): ColumnActions {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  return useMemo<ColumnActions>(() => {
    const current = () => latest.current;
    const arrange = (change: (layout: Options["layout"]) => Options["layout"]) => current().onLayoutChange(change(current().layout));
    return {
      sort: (name, direction) => current().onSort?.(withSort(current().sort, name, direction, false)),
      toggleSort: (name, several) => current().onSort?.(toggleSort(current().sort, name, several)),
      filter: (column) => current().onFilter(column),
      profile: (column) => current().onProfile(column),
      graph: (column) => current().onGraph?.(column),
      summarize: (start) => current().onSummarize?.(start),
      compute: (added) => current().onCompute?.(added),
      lookUp: (column) => current().onLookUp?.(column),
      remove: (added) => current().onRemove?.(added),
      pin: (name, pinned) => arrange((layout) => withPinned(layout, name, pinned)),
      hide: (name) => {
        const { names, focusHeader } = current();
        const index = names.indexOf(name);
        // Moves the focus from the hidden header to the next one.
        const next = names[index + 1] ?? names[index - 1];
        arrange((layout) => withHidden(layout, name, true));
        if (next !== undefined) focusHeader(next);
      },
      move: (name, step) => {
        arrange((layout) => moveColumnBy(layout, name, step));
        announce(`${name} moved ${step < 0 ? "left" : "right"}`);
      },
      drop: (name, target) => arrange((layout) => moveColumn(layout, name, target)),
      resize: (name, px) => arrange((layout) => withWidth(layout, name, px)),
    };
  }, []);
}
