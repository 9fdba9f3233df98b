import type { TimeBucket } from "@fairway/contract/distributions";

/** Indexes of the first and the last selected bucket. */
export interface BucketSelection {
  readonly first: number;
  readonly last: number;
}

export type SelectionEnd = "first" | "last";

/** The part that a pointer drags: a new selection, one end of it, or all of it. */
export type Grip = "new" | SelectionEnd | "both";

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** The selection after dragging from one bucket to another. `before` is the selection when the pointer went down. */
export function draggedSelection(grip: Grip, before: BucketSelection, from: number, to: number, count: number): BucketSelection {
  const target = between(to, 0, count - 1);
  switch (grip) {
    case "new":
      return { first: Math.min(from, target), last: Math.max(from, target) };
    case "first":
      return { first: Math.min(target, before.last), last: Math.max(target, before.last) };
    case "last":
      return { first: Math.min(before.first, target), last: Math.max(before.first, target) };
    case "both": {
      const shift = between(to - from, -before.first, count - 1 - before.last);
      return { first: before.first + shift, last: before.last + shift };
    }
    default:
      return grip satisfies never;
  }
}

const bigStep = 10;

/** The selection after a key on one of its ends; null for keys that do not move it. */
export function movedSelection(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  end: SelectionEnd,
  selection: BucketSelection,
  count: number,
): BucketSelection | null {
  const [low, high] = end === "first" ? [0, selection.last] : [selection.first, count - 1];
  const target = { Home: low, End: high, PageDown: selection[end] - bigStep, PageUp: selection[end] + bigStep }[key];
  const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
  if (target === undefined && direction === undefined) return null;
  const next = target ?? selection[end] + (direction ?? 0) * (shiftKey ? bigStep : 1);
  return { ...selection, [end]: between(next, low, high) };
}

export const rowsWithin = (buckets: readonly TimeBucket[], { first, last }: BucketSelection): number =>
  buckets.slice(first, last + 1).reduce((sum, { rows }) => sum + rows, 0);
