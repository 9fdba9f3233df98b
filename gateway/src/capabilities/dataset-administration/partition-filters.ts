import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { FieldFilter } from "@fairway/contract/datasets";

/**
 * Filters on the columns by which a table, or the folders of files, are partitioned. The outermost one is required: a time range or an area would meet
 * `requiredOrFields`, and the server might still have to read every partition.
 */
export function partitionFilters(
  columns: readonly Column[],
  partitions: readonly string[],
  temporalField: string | null,
  noun: "table" | "data",
): { readonly filters: FieldFilter[]; readonly notes: string[] } {
  const partitionColumns = partitions.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const [outermost] = partitionColumns;
  if (outermost === undefined) return { filters: [], notes: [] };
  const names = partitionColumns.map(({ name }) => `'${name}'`).join(", ");
  return {
    filters: partitionColumns.map((column) => filterOn(column, column === outermost)),
    notes: [
      `${noun === "table" ? "The table is" : "The data is"} partitioned by ${names}: a search that filters by it reads only a part of the ${noun}.`,
      `'${outermost.name}' is a required filter. Remove it if searches of the whole ${noun} are cheap enough.`,
      ...(temporalField === null || partitions.includes(temporalField)
        ? []
        : [
            `Time ranges apply to '${temporalField}', by which the ${noun === "table" ? "table is" : "data are"} not partitioned: they alone do not save reading.`,
          ]),
    ],
  };
}

const filterOn = ({ name, type, description }: Column, required: boolean): FieldFilter => ({
  id: name,
  name,
  display: name,
  description,
  required,
  type,
  value: "",
  // A time is rarely searched for exactly.
  operator: isTimestamp(type) ? ">=" : "=",
  preFilled: false,
});
