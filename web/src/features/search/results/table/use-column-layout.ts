import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { clampWidth, type ColumnLayout, adaptLayout, isDefaultLayout, defaultLayout, withVisible, visibleNames } from "./column-layout.ts";

const storedLayout = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  pinned: z.array(z.string()),
  widths: z.record(z.string(), z.number().transform(clampWidth)),
});

/** The localStorage key of a user's column layout of a dataset. */
export const layoutKey = (username: string, categoryId: string, datasetId: string): string =>
  `fairway.columns.${[username, categoryId, datasetId].map(encodeURIComponent).join("/")}`;

/** Null if nothing valid is stored. */
export function readLayout(key: string): ColumnLayout | null {
  const parsed = storedLayout.safeParse(attempt(() => JSON.parse(localStorage.getItem(key) ?? "null") as unknown));
  if (!parsed.success) return null;
  const { order, hidden, pinned, widths } = parsed.data;
  return { order, hidden: new Set(hidden), pinned: new Set(pinned), widths };
}

export function writeLayout(key: string, { order, hidden, pinned, widths }: ColumnLayout): void {
  attempt(() => localStorage.setItem(key, JSON.stringify({ order, hidden: [...hidden], pinned: [...pinned], widths })));
}

// Storage may be blocked, full, or hold data of another release; fall back to the default layout.
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const writeDelayMs = 300;

interface Options {
  username: string;
  categoryId: string;
  datasetId: string;
  /** The dataset's columns in its own order. */
  names: readonly string[];
  /** The visible columns of this search; null if never set. */
  visibleColumns: readonly string[] | null;
  /** Called with the visible names in order, or null for all in the dataset's order. */
  onVisibleChange: (names: readonly string[] | null) => void;
}

/** The column layout of a search: the search's own, or else the user's last one for the dataset. Changes are stored in the browser. */
export function useColumnLayout(options: Options): [ColumnLayout, (layout: ColumnLayout) => void] {
  const { username, categoryId, datasetId, names, visibleColumns, onVisibleChange } = options;
  const key = layoutKey(username, categoryId, datasetId);
  const [chosen, setChosen] = useState<ColumnLayout>(() => {
    const restored = adaptLayout(readLayout(key) ?? defaultLayout(names), names);
    return visibleColumns ? withVisible(restored, visibleColumns) : restored;
  });
  const layout = useMemo(() => adaptLayout(chosen, names), [chosen, names]);

  const visible = isDefaultLayout(layout, names) ? null : visibleNames(layout);
  const visibleKey = visible === null ? null : JSON.stringify(visible);
  const recordKey = visibleColumns === null ? null : JSON.stringify(visibleColumns);
  const latestOnVisibleChange = useRef(onVisibleChange);
  useEffect(() => {
    latestOnVisibleChange.current = onVisibleChange;
  });
  useEffect(() => {
    if (names.length > 0 && visibleKey !== recordKey)
      latestOnVisibleChange.current(visibleKey === null ? null : (JSON.parse(visibleKey) as string[]));
  }, [visibleKey, recordKey, names.length]);

  // A drag changes the width continuously; only the last one is written.
  const timer = useRef<{ handle: ReturnType<typeof setTimeout>; write: () => void } | null>(null);
  const flush = useCallback(() => {
    if (!timer.current) return;
    clearTimeout(timer.current.handle);
    timer.current.write();
    timer.current = null;
  }, []);
  useEffect(() => flush, [flush]);
  const change = useCallback(
    (next: ColumnLayout) => {
      setChosen(next);
      if (timer.current) clearTimeout(timer.current.handle);
      const write = () => writeLayout(key, next);
      timer.current = { write, handle: setTimeout(flush, writeDelayMs) };
    },
    [key, flush],
  );
  return [layout, change];
}
