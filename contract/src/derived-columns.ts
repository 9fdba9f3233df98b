import { z } from "zod";
import { column, columnLabelCharacters } from "./columns.ts";
import { datasetRef } from "./datasets.ts";
import { requiredLine, singleLine } from "./text.ts";

export const derivedColumnLimits = {
  nameCharacters: 200,
  unitCharacters: 50,
  /** Computed columns of a dataset, and how many of them may be made one from another. */
  computedOfDataset: 50,
  computedDepth: 5,
  computedOfSearch: 20,
  lookupsOfDataset: 5,
  lookupsOfSearch: 3,
  keyColumns: 3,
  lookupColumns: 10,
} as const;

const columnName = requiredLine(derivedColumnLimits.nameCharacters);

/**
 * Columns of another dataset, found by a key. There are never more rows for it, nor fewer: without a match there is no value, and where
 * rows of the other dataset with the same key differ in a column, that column has none.
 */
export const lookup = z
  .object({
    /** Unique in its list. */
    id: requiredLine(100),
    dataset: datasetRef,
    /** `loose` ignores the case of texts, and outer spaces. Default: `exact`. */
    match: z.enum(["exact", "loose"]).optional(),
    /** Columns here, and those of the other dataset that equal them. Each pair is of texts, of numbers or of times. */
    key: z
      .array(z.object({ column: columnName, on: columnName }))
      .min(1)
      .max(derivedColumnLimits.keyColumns),
    /** Columns of the other dataset, and their names here. */
    columns: z
      .array(z.object({ from: columnName, name: columnName }))
      .min(1)
      .max(derivedColumnLimits.lookupColumns),
  })
  .meta({ id: "Lookup" });
export type Lookup = z.infer<typeof lookup>;

/** A column of one search. It may use the columns of the dataset, those that the search looks up, and those before it. */
export const computedColumn = z
  .object({
    name: columnName,
    expression: column.shape.computed.unwrap().shape.expression,
    unit: singleLine(derivedColumnLimits.unitCharacters).optional(),
    label: singleLine(columnLabelCharacters).optional(),
  })
  .meta({ id: "ComputedColumn" });
export type ComputedColumn = z.infer<typeof computedColumn>;

/** The columns that a search adds to those of its dataset. */
export const searchColumns = z.object({
  computed: z.array(computedColumn).max(derivedColumnLimits.computedOfSearch).optional(),
  lookups: z.array(lookup).max(derivedColumnLimits.lookupsOfSearch).optional(),
});
export type SearchColumns = z.infer<typeof searchColumns>;
