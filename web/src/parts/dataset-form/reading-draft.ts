import type { DatasetReading } from "@fairway/contract/dataset-administration";
import type { Column } from "@fairway/contract/columns";
import type { DatasetDraft } from "./dataset-draft.ts";

/** Whether the dataset is of text files, which can be read in several ways. */
export const hasTextFiles = ({ source }: DatasetDraft): boolean => source.kind === "files" && source.format !== "parquet";

/**
 * A draft whose files are read in another way: the reading is stored with it, and its columns have the types of that reading. What was
 * written about columns stays, and so does their order; columns that the reading adds come last.
 */
export function withReading(draft: DatasetDraft, { stored, columns }: Pick<DatasetReading, "stored" | "columns">): DatasetDraft {
  const source = draft.source.kind === "files" ? { ...draft.source, reading: stored } : draft.source;
  if (columns === undefined) return { ...draft, source };
  const read = new Map(columns.map((column) => [column.name, column]));
  const own = new Set(draft.schema.columns.map(({ name }) => name));
  const kept = draft.schema.columns.flatMap((column) => {
    const found = read.get(column.name);
    return found ? [withType(column, found)] : column.combined !== null && isComplete(column, read) ? [column] : [];
  });
  const added = columns.filter(({ name }) => !own.has(name));
  return { ...draft, source, schema: { ...draft.schema, columns: [...kept, ...added] } };
}

/** The column with what the reading says of its values. */
function withType(column: Column, { type, day, unit }: Column): Column {
  const { day: _, ...rest } = column;
  return { ...rest, type, ...(day === undefined ? {} : { day }), ...(column.unit === undefined && unit !== undefined ? { unit } : {}) };
}

const isComplete = ({ combined }: Column, read: ReadonlyMap<string, Column>): boolean =>
  combined !== null && combined.fields.every((field) => read.has(field));
