import { maxMatches } from "#lib/text/use-find.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { lineText } from "./line-starts.ts";
import type { ComparedTexts } from "./run-comparison.ts";
import { createRowModel, type Side } from "./row-model.ts";

/** Position of a match. Lines that both sides have count once, on the side `after`. */
export interface TextMatch {
  side: Side;
  line: number;
  /** Of the first character, in the line. */
  offset: number;
}

/** The first matches in all lines, also in folded ones, from top to bottom; null if aborted. */
export async function findInTexts(
  { before, after, blocks }: ComparedTexts,
  find: RegExp,
  signal: AbortSignal,
): Promise<TextMatch[] | null> {
  const model = createRowModel(blocks, { isSplit: false, folds: false, revealed: [], below: [] });
  const matches: TextMatch[] = [];
  const isDone = await forEachYielding(
    model.rowCount,
    (index) => {
      const row = model.rowAt(index);
      if (row.kind !== "line" || matches.length >= maxMatches) return;
      const [side, line] = row.after < 0 ? (["before", row.before] as const) : (["after", row.after] as const);
      for (const { index: offset } of lineText(side === "before" ? before : after, line).matchAll(find)) {
        matches.push({ side, line, offset });
        if (matches.length >= maxMatches) return;
      }
    },
    signal,
  );
  return isDone ? matches : null;
}
