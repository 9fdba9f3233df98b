import { z } from "zod";
import { profiledColumn } from "./dataset-profiles.ts";
import { datasetParams } from "./datasets.ts";
import { route } from "./route.ts";
import { searchData } from "./search.ts";

export const bucketUnit = z.enum(["minute", "hour", "day", "week", "month", "year"]);
export type BucketUnit = z.infer<typeof bucketUnit>;

/** `startMs` is inclusive, `endMs` is exclusive; epoch milliseconds. */
export const timeBucket = z.object({ startMs: z.number(), endMs: z.number(), rows: z.int() });
export type TimeBucket = z.infer<typeof timeBucket>;

export const timeDistribution = z
  .object({
    /** A bucket spans `size` of these calendar units of UTC. Weeks start on Monday. */
    unit: bucketUnit,
    size: z.int().positive(),
    /** From the first to the last bucket with rows, including those without; at most `maxTimeBuckets`. Empty if no row has a time. */
    buckets: z.array(timeBucket),
    /** Time of the newest row, in epoch milliseconds; null if no row has a time. */
    newestMs: z.number().nullable(),
  })
  .meta({ id: "TimeDistribution" });
export type TimeDistribution = z.infer<typeof timeDistribution>;

/** The smallest unit and size are chosen that need no more buckets. */
export const maxTimeBuckets = 120;

export const timeDistributionRequest = searchData
  .extend({
    /** Buckets of one day each, for a time range with both ends over at most `maxTimeBuckets` days; refused if that takes long. */
    byDay: z.boolean().optional(),
  })
  .meta({ id: "TimeDistributionRequest" });
export type TimeDistributionRequest = z.infer<typeof timeDistributionRequest>;

/** Columns that one call may ask for. */
const maxColumns = 100;

export const columnDistributionsRequest = searchData
  .extend({
    /** Plain columns. */
    columns: z.array(z.string()).min(1).max(maxColumns),
  })
  .meta({ id: "ColumnDistributionsRequest" });
export type ColumnDistributionsRequest = z.infer<typeof columnDistributionsRequest>;

export const columnDistributions = z
  .object({
    rows: z.int(),
    /** The rows that `top` and `histogram` count: all, or a sample of very many. */
    countedRows: z.int(),
    /** In the dataset's order. `top` is empty for columns with very many values. */
    columns: z.array(profiledColumn),
  })
  .meta({ id: "ColumnDistributions" });
export type ColumnDistributions = z.infer<typeof columnDistributions>;

export const distributions = {
  overTime: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/distribution/time",
    access: "signed-in",
    summary:
      "How many rows of a search fall into each bucket of time. Bucket size depends on the span of the rows, unless days are asked for.",
    params: datasetParams,
    body: timeDistributionRequest,
    response: timeDistribution,
    apiKey: true,
  }),
  ofColumns: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/distribution/columns",
    access: "signed-in",
    summary: "Several columns in the rows of a search: their range, frequent values and the distribution of their values.",
    params: datasetParams,
    body: columnDistributionsRequest,
    response: columnDistributions,
    apiKey: true,
  }),
};
