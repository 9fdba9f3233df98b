import { z } from "zod";

const found = z.object({ count: z.int(), line: z.int(), text: z.string() });
export type Found = z.infer<typeof found>;

/** Facts about the sheet that was read. Lines are the numbers of its rows. */
export const sheetFacts = z.object({
  sheet: z.string(),
  sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean(), isAlike: z.boolean() })),
  headerLine: z.int().nullable(),
  skipLines: z.int(),
  repeated: z.array(z.string()),
  /** Cells that hold an error such as `#N/A`. */
  errors: found.nullable(),
  /** Formulas whose result was not stored. */
  unstored: found.nullable(),
  /** Whole numbers beyond 15 digits. */
  long: found.nullable(),
  /** Cells outside of the columns. */
  outside: found.nullable(),
  /** Columns whose numbers are shown as percentages. */
  percent: z.array(z.string()),
  /** Areas of several cells that are shown as one. */
  merged: z.object({ areas: z.int(), isFilled: z.boolean() }).nullable(),
});
export type SheetFacts = z.infer<typeof sheetFacts>;

/** Counts occurrences and keeps the first. */
export class Occurrences {
  readonly #found = new Map<string, { count: number; line: number; text: string }>();

  add(kind: string, line: number, text = ""): void {
    const known = this.#found.get(kind);
    if (known === undefined) this.#found.set(kind, { count: 1, line, text });
    else known.count += 1;
  }

  of(kind: string): Found | null {
    return this.#found.get(kind) ?? null;
  }
}
