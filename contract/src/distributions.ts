import { z } from "zod";
import { datasetParams } from "./datasets.ts";
import { route } from "./route.ts";
import { searchData } from "./search.ts";

export const bucketUnit = z.enum(["minute", "hour", "day", "week", "month", "year"]);
export type BucketUnit = z.infer<typeof bucketUnit>;

/** `startMs` is inclusive, `endMs` is exclusive; epoch milliseconds. */
const timeBucket = z.object({ startMs: z.number(), endMs: z.number(), rows: z.int() });
export type TimeBucket = z.infer<typeof timeBucket>;

export const timeDistribution = z
  .object({
    /** A bucket spans `size` of these calendar units of UTC. Weeks start on Monday. */
    unit: bucketUnit,
    size: z.int().positive(),
    /** From the first to the last bucket with rows, including those without; at most `maxTimeBuckets`. Empty if no row has a time. */
    buckets: z.array(timeBucket),
  })
  .meta({ id: "TimeDistribution" });
export type TimeDistribution = z.infer<typeof timeDistribution>;

/** The smallest unit and size are chosen that need no more buckets. */
export const maxTimeBuckets = 120;

export const distributions = {
  overTime: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/distribution/time",
    access: "signed-in",
    summary: "How many rows of a search fall into each bucket of time. Bucket size depends on the span of the rows.",
    params: datasetParams,
    body: searchData,
    response: timeDistribution,
    apiKey: true,
  }),
};
