import { z } from "zod";
import { datasetParams } from "./datasets.ts";
import { route } from "./route.ts";
import { cellValue, searchData, searchFilter, timeRange } from "./search.ts";

/** A value of a column and the number of scanned rows that have it. */
const valueCount = z.object({ value: cellValue, rows: z.int() });

export const suggestionRequest = z.object({
  /** Text that the values contain, ignoring case. Empty: any value. */
  contains: z.string().max(200),
  timeRange: timeRange.optional(),
  /** The rest of the search: values are those of rows that all of it keeps. */
  geospatial: searchData.shape.geospatial,
  filters: z.array(searchFilter).optional(),
  /** Instead of these three: the search without the filter that is being edited. */
  search: searchData.optional(),
});

export const suggestions = z
  .object({
    /** The most frequent first. */
    values: z.array(valueCount),
    /** False if only some of the rows were scanned, or time ran out: counts and order are then those of a part of the rows. */
    complete: z.boolean(),
    /** In answers to `search`, whose numbers are always exact: instead of `values`, those of a part of the rows, without numbers. */
    sampled: z.array(cellValue).optional(),
  })
  .meta({ id: "Suggestions" });
export type Suggestions = z.infer<typeof suggestions>;

export const columnProfile = z
  .object({
    rows: z.int(),
    /** Rows without a value. */
    empty: z.int(),
    distinct: z.int(),
    min: cellValue,
    max: cellValue,
    /** The most frequent first. */
    top: z.array(valueCount),
    /** Numbers and times in steps of equal width. `from` is inclusive; `to` is exclusive except in the last step. Empty for other columns. */
    histogram: z.array(z.object({ from: z.number(), to: z.number(), rows: z.int() })),
  })
  .meta({ id: "ColumnProfile" });
export type ColumnProfile = z.infer<typeof columnProfile>;

/** Maximum number of values in `suggestions` and in a profile's `top`. */
export const maxValues = { suggestions: 20, top: 10 } as const;
export const histogramSteps = 20;

/** Width of a histogram step for values from `min` to `max`; whole for integers. */
export function stepWidth(min: number, max: number, isInteger: boolean): number {
  if (!isInteger) return (max - min) / histogramSteps || 1;
  return Math.max(1, Math.ceil((max - min + 1) / histogramSteps));
}

export const columnParams = datasetParams.extend({ column: z.string() });

export const columnValues = {
  suggest: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/columns/:column/suggest",
    access: "signed-in",
    summary: "Values of a column to choose from, found within about two seconds; counted over all rows where that is quick enough.",
    params: columnParams,
    body: suggestionRequest,
    response: suggestions,
    apiKey: true,
  }),
  profile: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/columns/:column/profile",
    access: "signed-in",
    summary: "A column in the rows of a search: its most frequent values, its range and the distribution of its values.",
    params: columnParams,
    body: searchData,
    response: columnProfile,
    apiKey: true,
  }),
};
