import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { clampWidth, type ColumnLayout, fitted, isPlain, plainLayout, showing, visibleNames } from "./column-layout.ts";

const stored = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  pinned: z.array(z.string()),
  widths: z.record(z.string(), z.number().transform(clampWidth)),
});

/** Where a user's arrangement of one dataset's columns is kept in this browser. */
export const layoutKey = (username: string, categoryId: string, datasetId: string): string =>
  `fairway.columns.${[username, categoryId, datasetId].map(encodeURIComponent).join("/")}`;

/** Null where nothing is kept, or nothing that can be read. */
export function readLayout(key: string): ColumnLayout | null {
  const parsed = stored.safeParse(attempt(() => JSON.parse(localStorage.getItem(key) ?? "null") as unknown));
  if (!parsed.success) return null;
  const { order, hidden, pinned, widths } = parsed.data;
  return { order, hidden: new Set(hidden), pinned: new Set(pinned), widths };
}

export function writeLayout(key: string, { order, hidden, pinned, widths }: ColumnLayout): void {
  attempt(() => localStorage.setItem(key, JSON.stringify({ order, hidden: [...hidden], pinned: [...pinned], widths })));
}

// Storage may be closed to us, full, or hold what another release wrote: the columns then start as the dataset has them.
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const writeAfterMs = 300;

interface Options {
  username: string;
  categoryId: string;
  datasetId: string;
  /** The dataset's columns in its own order. */
  names: readonly string[];
  /** What this search shows; null where it was never said. */
  visibleColumns: readonly string[] | null;
  /** The shown columns changed: their names in order, null for all in the dataset's order. */
  onVisibleChange: (names: readonly string[] | null) => void;
}

/** The arrangement of a search's columns: as this search has it, else as the user last had it for the dataset. Changes are kept in the browser. */
export function useColumnLayout(options: Options): [ColumnLayout, (layout: ColumnLayout) => void] {
  const { username, categoryId, datasetId, names, visibleColumns, onVisibleChange } = options;
  const key = layoutKey(username, categoryId, datasetId);
  const [chosen, setChosen] = useState<ColumnLayout>(() => {
    const kept = fitted(readLayout(key) ?? plainLayout(names), names);
    return visibleColumns ? showing(kept, visibleColumns) : kept;
  });
  const layout = useMemo(() => fitted(chosen, names), [chosen, names]);

  const visible = isPlain(layout, names) ? null : visibleNames(layout);
  const said = visible === null ? null : JSON.stringify(visible);
  const known = visibleColumns === null ? null : JSON.stringify(visibleColumns);
  const tell = useRef(onVisibleChange);
  useEffect(() => {
    tell.current = onVisibleChange;
  });
  useEffect(() => {
    if (names.length > 0 && said !== known) tell.current(said === null ? null : (JSON.parse(said) as string[]));
  }, [said, known, names.length]);

  // A drag changes the width with every pixel; the last one is kept.
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
      timer.current = { write, handle: setTimeout(flush, writeAfterMs) };
    },
    [key, flush],
  );
  return [layout, change];
}
