import type { BreakdownResult } from "#query/breakdown.ts";

const [bytesPerValue, bytesPerEntry] = [16, 100];

/** About the memory that a result takes. */
export function answerSize({ axes, cells, totals }: BreakdownResult): number {
  const entries = axes.flatMap((axis) => axis.entries);
  const texts = entries.reduce(
    (sum, entry) => sum + (entry.kind === "value" && typeof entry.value === "string" ? 2 * entry.value.length : 0),
    0,
  );
  const figures = [...cells, ...(totals?.axes.flat() ?? [])];
  const values = figures.reduce((sum, figure) => sum + valuesSize(figure.values) + valuesSize(figure.before ?? []), 0);
  return entries.length * bytesPerEntry + texts + values + figures.length * bytesPerEntry;
}

const valuesSize = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + bytesPerValue + (typeof value === "string" ? 2 * value.length : 0), 0);
