import type { ReadingChoices, StoredReading } from "@fairway/contract/readings";
import { expect } from "vitest";
import type { ReadFile, readingBench } from "../query/duckdb/reading-bench.ts";

export const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1_000;

export const asked = ({ reading }: ReadFile) =>
  reading.questions.map(({ question, columns, taken, isAnswered }) => [question, columns, taken, isAnswered]);

/** A file whose reading is stored as a choice reads it, and as the reading that is stored then reads it. */
export async function afterwards(
  csv: ReturnType<typeof readingBench>["csv"],
  content: string,
  stored: StoredReading,
  choices: ReadingChoices,
): Promise<ReadFile> {
  const chosen = await csv(content, { stored, choices });
  const again = await csv(content, { stored: chosen.stored });
  expect(again.rows).toEqual(chosen.rows);
  expect(again.stored).toEqual(chosen.stored);
  expect(again.differences).toEqual([]);
  return again;
}
