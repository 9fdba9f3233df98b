import { z } from "zod";
import { datasetParams } from "./datasets.ts";
import { route } from "./route.ts";
import { cellValue, searchData, timeRange } from "./search.ts";

/** A value that occurs in a column, and in how many of the rows looked at. */
const valueCount = z.object({ value: cellValue, rows: z.int() });

export const suggestionAsk = z.object({
  /** Text that the values hold somewhere, in any case. Empty: any value. */
  contains: z.string().max(200),
  timeRange: timeRange.optional(),
});

export const suggestions = z
  .object({
    /** The most frequent first. */
    values: z.array(valueCount),
    /** False where only some of the rows were looked at, or time was up. */
    complete: z.boolean(),
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
    /** Numbers and times in steps of one width, `from` within, `to` not, except the last one's; empty for other columns. */
    histogram: z.array(z.object({ from: z.number(), to: z.number(), rows: z.int() })),
  })
  .meta({ id: "ColumnProfile" });
export type ColumnProfile = z.infer<typeof columnProfile>;

/** Most values of `suggestions` and of a profile's `top`. */
export const mostValues = { suggestions: 20, top: 10 } as const;
export const histogramSteps = 20;

/** How wide a step is where values go from `min` to `max`. Whole numbers are not split. */
export function stepWidth(min: number, max: number, whole: boolean): number {
  if (!whole) return (max - min) / histogramSteps || 1;
  return Math.max(1, Math.ceil((max - min + 1) / histogramSteps));
}

export const columnParams = datasetParams.extend({ column: z.string() });

export const columnValues = {
  suggest: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/columns/:column/suggest",
    access: "signed-in",
    summary: "Values of a column to choose from, found within about a second.",
    params: columnParams,
    body: suggestionAsk,
    response: suggestions,
    apiKey: true,
  }),
  profile: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/columns/:column/profile",
    access: "signed-in",
    summary: "What a column holds in the rows of a search: its most frequent values, its range and how its values lie.",
    params: columnParams,
    body: searchData,
    response: columnProfile,
    apiKey: true,
  }),
};
