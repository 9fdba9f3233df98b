import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";

/** Longer fractions are rare, and would push all others to the left. */
const maxAligned = 8;
const measuredRows = 1_000;

/** Digits after the point; null for what is not aligned, such as `1e-7`. */
function fractionOf(text: string): number | null {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const digits = match[1]?.length ?? 0;
  return digits > maxAligned ? null : digits;
}

/** The most digits after the point in each column of decimals, among the first rows. */
export function fractionDigits(columns: readonly Column[], rows: readonly ResultRow[]): ReadonlyMap<string, number> {
  const measured = rows.slice(0, measuredRows);
  const decimals = columns.filter(({ type, combined }) => type === "decimal" && combined === null);
  return new Map(
    decimals.map(({ name }) => [name, measured.reduce((most, row) => Math.max(most, fractionOf(String(row[name] ?? "")) ?? 0), 0)]),
  );
}

/** Invisible text that aligns a number's point with those of its column when added; undefined if none is needed. */
export function alignmentOf(text: string, digits: number | undefined): string | undefined {
  const own = fractionOf(text);
  if (own === null || digits === undefined || own >= digits) return undefined;
  return `${own === 0 ? "." : ""}${"0".repeat(digits - own)}`;
}
