import { z } from "zod";
import { type ColumnLayout, clampWidth } from "./column-layout.ts";

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
