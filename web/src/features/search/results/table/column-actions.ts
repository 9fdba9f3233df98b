import type { SortKey } from "@fairway/contract/search";
import type { PointerEvent } from "react";
import type { Direction } from "./sorting.ts";

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
