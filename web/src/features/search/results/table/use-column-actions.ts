import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import { announce } from "#ui/announcer.tsx";
import { movedBy, withHidden, withPinned, withWidth } from "./column-layout.ts";
import type { ResultTableProps } from "./table-props.ts";
import { clickedSort, sortedBy } from "./sorting.ts";
import type { ColumnActions } from "./column-actions.ts";

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
