import { z } from "zod";
import { datasetParams } from "./datasets.ts";
import { route } from "./route.ts";
import { cellValue, searchData, searchFilter, timeRange } from "./search.ts";

/** A subset of a search: its rows that also lie in this time range and satisfy these filters. */
export const aggregateGroup = z.object({
  id: z.string().min(1).max(200),
  timeRange: timeRange.optional(),
  filters: z.array(searchFilter).default([]),
});

export const aggregateBatch = z
  .object({
    search: searchData,
    /** With unique ids. */
    groups: z.array(aggregateGroup).min(1).max(10_000),
    aggregations: z
      .array(
        z.object({
          /** count, avg, min, max or sum. Parsed by the handler, so that an unknown one is named. */
          aggregation: z.string(),
          /** A column's name, or `*` for a count of rows. */
          column: z.string(),
        }),
      )
      .min(1)
      .max(100),
  })
  .meta({ id: "AggregateBatch" });
export type AggregateBatch = z.infer<typeof aggregateBatch>;
export type AggregateBatchDraft = z.input<typeof aggregateBatch>;

export const aggregateBatchAnswer = z
  .object({
    /** In the order of the request. */
    groups: z.array(
      z.object({
        id: z.string(),
        /** In the order of the aggregations. For no rows: 0 for a count, otherwise null. */
        values: z.array(cellValue),
      }),
    ),
  })
  .meta({ id: "AggregateBatchAnswer" });
export type AggregateBatchAnswer = z.infer<typeof aggregateBatchAnswer>;

export const graphs = {
  batch: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/aggregate",
    access: "signed-in",
    summary: "Several aggregates over several parts of one search, with the values and errors of the single calls.",
    params: datasetParams,
    body: aggregateBatch,
    response: aggregateBatchAnswer,
    streamed: true,
    bodyLimit: 4_194_304,
    apiKey: true,
  }),
};
