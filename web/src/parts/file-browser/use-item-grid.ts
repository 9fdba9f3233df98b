import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
import type { ItemActions } from "./file-actions.tsx";
import type { FolderItem } from "./folder.ts";
import { useItemKeys } from "./use-item-keys.ts";
import type { Selection } from "./use-selection.ts";

interface Options {
  items: readonly FolderItem[];
  /** Filter that narrowed the items. */
  filter: string;
  selection: Selection;
  actions: ItemActions;
  goUp: () => void;
  /** Name of the item to start on. */
  startName: string | null;
  /** Whether the active item takes the focus when the view opens. */
  takesFocus: () => boolean;
  /** Items in a row; 0 while that is not known. */
  columns: number;
  rowPx: number;
  /** Height of a head that stays in view. */
  headPx?: number;
  overscan: number;
}

/** Handlers of the items. They never change, so that scrolling renders no item again. */
export interface ItemHandlers {
  onFocus: (index: number) => void;
  onKeyDown: (event: KeyboardEvent, index: number) => void;
  onToggle: (item: FolderItem, extend: boolean) => void;
  actions: ItemActions;
}

/**
 * The virtual rows of a view, and its active item, which is the one in the tab order. It stays the same file while items arrive or
 * the order changes; what follows a deleted file takes its place.
 */
export function useItemGrid(options: Options) {
  const { items, filter, selection, actions, goUp, startName, takesFocus, columns, rowPx, headPx = 0, overscan } = options;
  const [last, setLast] = useState<{ path: string; index: number; filter: string } | null>(null);
  const found = items.findIndex(({ path, name }) => (last === null ? name === startName : path === last.path));
  const active = found !== -1 ? found : last?.filter === filter ? Math.min(last.index, items.length - 1) : 0;
  const rowOf = (index: number) => Math.floor(index / Math.max(1, columns));
  const count = columns === 0 ? 0 : Math.ceil(items.length / columns);
  const virtual = useVirtualRows({ count, rowPx, headPx, overscan, kept: rowOf(active) });

  const setActive = (index: number) => {
    const item = items[index];
    if (item) setLast({ path: item.path, index, filter });
  };
  const focusItem = (index: number) => {
    setActive(index);
    virtual.focus(index, rowOf(index));
  };
  const onKeyDown = useItemKeys({ items, columns: Math.max(1, columns), page: virtual.page, focusItem, actions, goUp, selection });

  const isReady = columns > 0;
  useEffect(() => {
    if (!isReady) return;
    if (takesFocus()) focusItem(active);
    else if (found !== -1) virtual.virtualizer.scrollToIndex(rowOf(found));
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the view opens
  }, [isReady]);

  const latest = useRef({ onKeyDown, setActive, selection, actions });
  useEffect(() => {
    latest.current = { onKeyDown, setActive, selection, actions };
  });
  const makesDatasets = actions.makeDataset !== null;
  const canRemove = actions.remove !== null;
  const handlers = useMemo(
    (): ItemHandlers => ({
      onFocus: (index) => latest.current.setActive(index),
      onKeyDown: (event, index) => latest.current.onKeyDown(event, index),
      onToggle: (item, extend) => latest.current.selection.toggle(item, extend),
      actions: {
        open: (item) => latest.current.actions.open(item),
        makeDataset: makesDatasets ? (item) => latest.current.actions.makeDataset?.(item) : null,
        downloadUrl: (item) => latest.current.actions.downloadUrl(item),
        copyLink: (item) => latest.current.actions.copyLink(item),
        remove: canRemove ? (removed) => latest.current.actions.remove?.(removed) : null,
      },
    }),
    [canRemove, makesDatasets],
  );
  return { virtual, active, handlers };
}
