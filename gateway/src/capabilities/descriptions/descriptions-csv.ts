import { columnTypeNameOf } from "@fairway/contract/columns";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { datasetRowType } from "@fairway/contract/descriptions";
import { escapeFormula } from "@fairway/contract/formula-text";

const byteOrderMark = "\uFEFF";

/** All descriptions of a dataset as RFC 4180: the dataset itself first, without a column's name, then its columns in their order. */
export function* descriptionsCsv(schema: DatasetSchema, hasMark: boolean): Generator<string> {
  yield `${hasMark ? byteOrderMark : ""}${line(["column", "type", "system", "community", "private"])}`;
  yield line(["", datasetRowType, schema.description, schema.communityDescription, schema.userDescription]);
  for (const { name, type, description, communityDescription, userDescription } of schema.columns) {
    yield line([name, columnTypeNameOf(type), description, communityDescription, userDescription]);
  }
}

const line = (fields: readonly string[]): string => `${fields.map(field).join(",")}\r\n`;

function field(value: string): string {
  const text = escapeFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
