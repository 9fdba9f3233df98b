import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { measurableColumns } from "./summary.ts";

const nameOfNone =
  /^(?:.*[_ .-])?(?:id|key|code|number|year|season|quarter|month|week|day|hour|minute|second|lat|latitude|lon|lng|long|longitude)$/i;

/** The names of the columns that figures are computed of, the likeliest first: those with a unit, and no parts of places, times or keys. */
export function likelyMeasures(description: DatasetDescription): string[] {
  const places = new Set(description.schema.columns.flatMap(({ combined }) => (combined?.type === "COORDINATES" ? combined.fields : [])));
  const rank = ({ name, unit }: Column): number => {
    if (places.has(name) || nameOfNone.test(name)) return 2;
    return unit === undefined || unit === "" ? 1 : 0;
  };
  return measurableColumns(description)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ name }) => name);
}
