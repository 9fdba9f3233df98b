import type { DatasetDescription } from "@fairway/contract/datasets";

type Described = Pick<DatasetDescription, "schema" | "features" | "assists">;

/** Whether rows of the dataset can have a place. */
export const hasLocation = ({ schema }: Pick<Described, "schema">): boolean =>
  schema.columns.some(({ combined }) => combined?.type === "COORDINATES");

/** Why the rows of a dataset cannot be counted by place; null if they can. */
export function countingProblem(description: Described): string | null {
  if (!description.assists.includes("GRID")) return "The service behind this dataset cannot count rows by place.";
  if (!hasLocation(description)) return "Rows of this dataset have no location.";
  return description.features.includes("COUNT") ? null : "The rows of this dataset cannot be counted.";
}
