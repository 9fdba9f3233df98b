import type { ColumnReading, Reading, ReadingChoices } from "@fairway/contract/readings";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { buildColumn } from "./dataset-builders.ts";
import { entityKindOf } from "#features/admin/entities/entity-kind-of.ts";

export const visits = {
  ...entityKindOf("datasets/internal").template,
  id: "visits",
  category: "Tickets",
  source: { kind: "files", glob: "visits.csv", format: "csv" },
  schema: { columns: [buildColumn("visit", { type: "TIMESTAMP_SECONDS" }), buildColumn("who")] },
};

export const who: ColumnReading = {
  header: "who",
  name: "who",
  type: "STRING",
  format: null,
  day: false,
  unit: null,
  zone: null,
  filled: 2,
  empty: 1,
  unreadable: { count: 0, first: [] },
  state: "sure",
  sentence: "Text.",
  also: [],
};

/** The same file in either order of dates, as the gateway answers it. */
export function readingOf(choices: ReadingChoices | undefined): Reading {
  const answer = choices?.answers?.["dateOrder"] ?? null;
  const taken = answer ?? "month-first";
  const isText = choices?.columns?.["visit"]?.type === "STRING";
  return {
    files: [
      {
        file: "visits.csv",
        format: "csv",
        encoding: choices?.encoding ?? "utf-8",
        encodingState: "sure",
        delimiter: ",",
        quote: '"',
        headerLine: 1,
        skipLines: 0,
        path: null,
        paths: [],
        rows: 3,
        checkedRows: null,
        unreadable: { count: 1, first: [{ line: 4, text: 'a,"b', reason: "the quote is never closed" }] },
        sentences: [],
      },
    ],
    fileCount: 1,
    rows: 3,
    dateOrder: taken === "day-first" ? "day-first" : "month-first",
    decimalMark: null,
    zone: "UTC",
    columns: [
      {
        ...who,
        header: "visit",
        name: "visit",
        type: isText ? "STRING" : "TIMESTAMP_SECONDS",
        format: isText ? null : "M/D/Y",
        day: !isText,
        filled: 3,
        empty: 0,
        unreadable: isText ? { count: 0, first: [] } : { count: 1, first: [{ line: 3, text: "soon" }] },
        state: isText ? "sure" : answer === null ? "assumed" : "mixed",
        sentence: "No day above 12 proves an order.",
        also: [{ type: "STRING", format: null, label: "text", unreadable: 0 }],
      },
      who,
    ],
    questions: [
      {
        question: "dateOrder",
        columns: ["visit"],
        sentence: "Is 01/02/2024 in February or January?",
        options: [
          { option: "day-first", label: "Day first", examples: [{ text: "01/02/2024", becomes: "February 1, 2024" }] },
          { option: "month-first", label: "Month first", examples: [{ text: "01/02/2024", becomes: "January 2, 2024" }] },
        ],
        taken,
        isAnswered: answer !== null,
      },
    ],
    checkedRows: null,
    sentences: [],
  };
}

/** Answers the question about what was chosen. */
export async function expectKeptEditing(): Promise<void> {
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(question).not.toBeInTheDocument();
}

/** The same as the gateway would store it. */
export const storedOf = (choices: ReadingChoices | undefined) => ({
  columns: [],
  ...(choices?.answers?.["dateOrder"] ? { dateOrder: choices.answers["dateOrder"] as "day-first" } : {}),
});
