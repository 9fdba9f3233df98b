import { formatCount, pluralize } from "@fairway/contract/counts";
import type { DataImport } from "@fairway/contract/imports";
import type { ColumnReading } from "@fairway/contract/readings";
import { sizeText } from "#lib/text/size-text.ts";
import { typeNames } from "#parts/reading/reading-words.ts";

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `rain-2024.csv, 58.0 KB, 1,200 rows, 8 columns`. */
export function importLine({ files, reading, sample, isPartial }: DataImport): string {
  const [first] = files;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const parts = [files.length === 1 && first ? first.file : pluralize(files.length, "file"), sizeText(size)];
  // The beginning of a file says nothing about all rows.
  if (reading !== null && !isPartial) parts.push(pluralize(reading.rows, "row"));
  if (sample !== null) parts.push(pluralize(sample.columns.length, "column"));
  return parts.filter((part) => part !== "").join(", ");
}

/** How a column is read and how sure that is: `Number, decimal comma`, `Day, day first?`. */
export function kindText({ type, day, label, state, unreadable, filled }: ColumnReading): string {
  const kind = capitalized(label ?? (day ? "day" : typeNames[type]));
  if (unreadable.count > 0) return `${kind} · ${formatCount(unreadable.count)} of ${formatCount(filled)} not read`;
  if (filled === 0) return `${kind} · has no values`;
  return state === "assumed" ? `${kind}?` : kind;
}

/** The reason why Create waits; null if it can be pressed. */
export function waitsFor(
  { status, openQuestions, drift, isPartial, sample, into, isUnchanged }: DataImport,
  { name, category, accepted }: { name: string; category: string | null; accepted: ReadonlySet<string> },
): string | null {
  if (status === "uploading" || isPartial) return "Wait for the file to arrive";
  if (status === "reading" || sample === null) return "Wait for the file to be read";
  if (status === "failed") return "The file could not be read";
  if (openQuestions.length > 0) return openQuestions.length === 1 ? "Answer one question" : `Answer ${openQuestions.length} questions`;
  if (isUnchanged === true) return "Change how it is read first";
  const kinds = new Set(drift.map(({ kind }) => kind).filter((kind) => !accepted.has(kind)));
  if (kinds.size > 0) return kinds.size === 1 ? "Accept one difference" : `Accept ${kinds.size} differences`;
  if (into === null && name.trim() === "") return "Enter a name";
  if (into === null && category?.trim() === "") return "Enter a category";
  return null;
}

/** The label of the one primary button. */
export const createLabel = ({ into }: Pick<DataImport, "into">): string => (into === null ? "Create dataset" : createLabels[into.mode]);

const createLabels = { append: "Append rows", replace: "Replace rows", "read-again": "Save as new version" } as const;

/** The title of the screen. */
export function titleOf({ into }: Pick<DataImport, "into">): string {
  if (into === null) return "Add data";
  if (into.mode === "read-again") return `Change how ${into.datasetId} is read`;
  return `${into.mode === "append" ? "Add rows to" : "Replace the rows of"} ${into.datasetId}`;
}

/** The purpose of an unfinished import. */
export function purposeOf({ into, suggestedName }: Pick<DataImport, "into" | "suggestedName">): string {
  if (into === null) return suggestedName;
  if (into.mode === "read-again") return `How ${into.datasetId} is read`;
  return `${into.mode === "append" ? "Rows for" : "New rows of"} ${into.datasetId}`;
}

/** Values and lines that could not be read. */
export function unreadCount({ columns, files }: NonNullable<DataImport["reading"]>): number {
  const values = columns.reduce((sum, { unreadable }) => sum + unreadable.count, 0);
  return values + files.reduce((sum, { unreadable }) => sum + unreadable.count, 0);
}

/** Announced once everything was read. */
export function readText(data: DataImport): string {
  const { reading, openQuestions } = data;
  // Parquet files have their own types.
  if (reading === null) return "Read.";
  const unread = unreadCount(reading);
  const parts = [`Read: ${pluralize(reading.rows, "row")}, ${pluralize(reading.columns.length, "column")}.`];
  if (openQuestions.length > 0) parts.push(`${pluralize(openQuestions.length, "open question")}.`);
  if (unread > 0) parts.push(`${pluralize(unread, "value")} could not be read.`);
  return parts.join(" ");
}
