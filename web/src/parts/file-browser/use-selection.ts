import { useMemo, useRef, useState } from "react";
import type { FolderItem } from "./folder.ts";

/** The selected items, by path. */
export interface Selection {
  selected: ReadonlySet<string>;
  /** `extend` selects everything from the last item that was toggled to this one. */
  toggle: (item: FolderItem, extend?: boolean) => void;
  select: (items: readonly FolderItem[]) => void;
  selectAll: () => void;
  clear: () => void;
}

const none: ReadonlySet<string> = new Set();

/** Selection among the shown items. An item that the filter hides is not selected meanwhile. */
export function useSelection(items: readonly FolderItem[]): { selection: Selection; selectedItems: readonly FolderItem[] } {
  const [paths, setPaths] = useState(none);
  const anchor = useRef<string | null>(null);
  const selectedItems = useMemo(() => (paths.size === 0 ? [] : items.filter(({ path }) => paths.has(path))), [items, paths]);
  const selected = useMemo(() => new Set(selectedItems.map(({ path }) => path)), [selectedItems]);
  const select = (added: readonly FolderItem[]) => setPaths((current) => new Set([...current, ...added.map(({ path }) => path)]));
  const toggle = (item: FolderItem, extend = false) => {
    const from = extend ? items.findIndex(({ path }) => path === anchor.current) : -1;
    anchor.current = item.path;
    if (from !== -1) {
      const to = items.indexOf(item);
      select(items.slice(Math.min(from, to), Math.max(from, to) + 1));
      return;
    }
    setPaths((current) => {
      const next = new Set(current);
      if (!next.delete(item.path)) next.add(item.path);
      return next;
    });
  };
  return {
    selectedItems,
    selection: { selected, toggle, select, selectAll: () => select(items), clear: () => setPaths(none) },
  };
}
