import { type RefObject, useState } from "react";
import type { FolderItem } from "./folder.ts";

interface Options {
  items: readonly FolderItem[];
  startName: string | null;
  scroller: RefObject<HTMLElement | null>;
  scrollTo: (index: number) => void;
}

/** The item in the tab order. It stays on its file while more items arrive or the order changes. */
export function useActiveItem({ items, startName, scroller, scrollTo }: Options) {
  const [activePath, setActivePath] = useState<string | null>(null);
  const found = items.findIndex(({ path, name }) => (activePath === null ? name === startName : path === activePath));
  const active = Math.max(0, found);
  return {
    active,
    setActive: (index: number) => setActivePath(items[index]?.path ?? null),
    focusItem: (index: number) => {
      setActivePath(items[index]?.path ?? null);
      scrollTo(index);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
    },
  };
}
