import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { Refusal } from "#http/refusal.ts";

/** Refuses a column that the dataset does not have, and names those that it has. */
export function columnOf({ schema }: DatasetDescription, name: string): Column {
  const column = schema.columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const others = schema.columns.map((candidate) => candidate.name).join(", ");
  throw new Refusal("unknown-column", `There is no column '${name}'. The columns are: ${others}.`);
}
