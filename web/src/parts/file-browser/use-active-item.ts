import { type RefObject, useEffect, useState } from "react";
import type { FolderItem } from "./folder.ts";

interface Options {
  items: readonly FolderItem[];
  startName: string | null;
  /** Whether the active item takes the focus when the view opens. */
  takesFocus: boolean;
  scroller: RefObject<HTMLElement | null>;
  scrollTo: (index: number) => void;
}

/** The item in the tab order. It stays on its file while more items arrive or the order changes. */
export function useActiveItem({ items, startName, takesFocus, scroller, scrollTo }: Options) {
  const [activePath, setActivePath] = useState<string | null>(null);
  const found = items.findIndex(({ path, name }) => (activePath === null ? name === startName : path === activePath));
  const active = Math.max(0, found);
  const focusItem = (index: number) => {
    setActivePath(items[index]?.path ?? null);
    scrollTo(index);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  useEffect(() => {
    if (takesFocus) focusItem(active);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the view opens
  }, []);
  return {
    active,
    setActive: (index: number) => setActivePath(items[index]?.path ?? null),
    focusItem,
  };
}
