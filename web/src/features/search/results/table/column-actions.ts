import type { SortKey } from "@fairway/contract/search";
import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import { announce } from "#ui/announcer.tsx";
import { movedBy, withHidden, withPinned, withWidth } from "./column-layout.ts";
import type { ResultTableProps } from "./table-props.ts";

export type Direction = SortKey["direction"];

export const directionOf = (sort: readonly SortKey[], column: string): Direction | undefined =>
  sort.find((key) => key.column === column)?.direction;

/** A click on a header: ascending, descending, none. With `several` the other columns' order stays before it. */
export function clickedSort(sort: readonly SortKey[], column: string, several: boolean): SortKey[] {
  const direction = directionOf(sort, column);
  return sortedBy(sort, column, direction === undefined ? "asc" : direction === "asc" ? "desc" : undefined, several);
}

/** The order with this column in this direction; undefined takes the column out of it. */
export function sortedBy(sort: readonly SortKey[], column: string, direction: Direction | undefined, several: boolean): SortKey[] {
  const key = direction === undefined ? [] : [{ column, direction }];
  if (!several) return key;
  const at = sort.findIndex((other) => other.column === column);
  return at < 0 ? [...sort, ...key] : [...sort.slice(0, at), ...key, ...sort.slice(at + 1)];
}

/** What a header and its menu ask for. Names are the columns' names. */
export interface ColumnActions {
  /** A click on the header: ascending, descending, none; with Shift beside the other columns. */
  clickSort: (name: string, several: boolean) => void;
  sort: (name: string, direction: Direction | undefined) => void;
  filter: (name: string) => void;
  profile: (name: string) => void;
  pin: (name: string, pinned: boolean) => void;
  hide: (name: string) => void;
  move: (name: string, step: -1 | 1) => void;
  resize: (name: string, byPx: number) => void;
  resetWidth: (name: string) => void;
  startDrag: (event: PointerEvent, name: string) => void;
  wasDragged: () => boolean;
}

export interface ColumnState {
  direction: Direction | undefined;
  /** One-based among several sorted columns; undefined where it is the only one. */
  sortRank: number | undefined;
  canSort: boolean;
  canFilter: boolean;
  /** False for a column that only combines others. */
  canProfile: boolean;
  isPinned: boolean;
  canMoveLeft: boolean;
  canMoveRight: boolean;
  hasOwnWidth: boolean;
}

/** How a column stands in the order of the rows. */
export function sortStateOf(sort: readonly SortKey[], name: string): Pick<ColumnState, "direction" | "sortRank"> {
  const at = sort.findIndex((key) => key.column === name);
  return { direction: sort[at]?.direction, sortRank: at >= 0 && sort.length > 1 ? at + 1 : undefined };
}

type Options = Pick<ResultTableProps, "columns" | "layout" | "onLayoutChange" | "sort" | "onSort" | "onFilter" | "onProfile"> & {
  /** The visible columns in their order. */
  names: readonly string[];
  focusHeader: (name: string) => void;
  widthOf: (name: string) => number;
  onPointerDown: (event: PointerEvent, name: string) => void;
  wasDragged: () => boolean;
};

/** The same object as long as the table lives, so that headers render only for what they show. */
export function useColumnActions(options: Options): ColumnActions {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  return useMemo<ColumnActions>(() => {
    const now = () => latest.current;
    const arrange = (change: (layout: Options["layout"]) => Options["layout"]) => now().onLayoutChange(change(now().layout));
    return {
      clickSort: (name, several) => now().onSort?.(clickedSort(now().sort, name, several)),
      sort: (name, direction) => now().onSort?.(sortedBy(now().sort, name, direction, false)),
      filter: (name) => {
        const column = now().columns.find((candidate) => candidate.name === name);
        if (column) now().onFilter(column);
      },
      profile: (name) => {
        const column = now().columns.find((candidate) => candidate.name === name);
        if (column) now().onProfile(column);
      },
      pin: (name, pinned) => arrange((layout) => withPinned(layout, name, pinned)),
      hide: (name) => {
        const { names, focusHeader } = now();
        const at = names.indexOf(name);
        // The header that held the focus goes: the next one takes it.
        const next = names[at + 1] ?? names[at - 1];
        arrange((layout) => withHidden(layout, name, true));
        if (next !== undefined) focusHeader(next);
      },
      move: (name, step) => {
        arrange((layout) => movedBy(layout, name, step));
        announce(`${name} moved ${step < 0 ? "left" : "right"}`);
      },
      resize: (name, byPx) => arrange((layout) => withWidth(layout, name, now().widthOf(name) + byPx)),
      resetWidth: (name) => arrange((layout) => withWidth(layout, name, undefined)),
      startDrag: (event, name) => now().onPointerDown(event, name),
      wasDragged: () => now().wasDragged(),
    };
  }, []);
}
