import { z } from "zod";
import { columnProfile } from "./column-values.ts";
import { columnType } from "./columns.ts";
import { datasetParams, datasetRef } from "./datasets.ts";
import { route } from "./route.ts";

/** Texts of values are cut to this many characters, with an ellipsis at the end. */
export const profileTextCharacters = 120;

export const coverageUnit = z.enum(["day", "month", "year", "decade", "century"]);
export type CoverageUnit = z.infer<typeof coverageUnit>;

/** Rows per calendar unit (UTC), oldest first, without units that have no rows. The unit depends on the span of the data. */
export const coverage = z
  .object({ unit: coverageUnit, buckets: z.array(z.object({ startMs: z.number(), rows: z.int() })) })
  .meta({ id: "DatasetCoverage" });
export type Coverage = z.infer<typeof coverage>;

/** A column over all rows of its dataset. Times are in the column's unit. */
export const profiledColumn = columnProfile
  .omit({ rows: true })
  .extend({
    name: z.string(),
    type: columnType,
    /** Whether `distinct` is an estimate, and `top` may lack a value. Counts in `top` are always exact. */
    isApproximate: z.boolean(),
  })
  .meta({ id: "ProfiledColumn" });
export type ProfiledColumn = z.infer<typeof profiledColumn>;

export const datasetProfile = z
  .object({
    measuredMs: z.int(),
    rows: z.int(),
    /** First and last time in the data; null without a temporal field or without times. */
    oldestMs: z.number().nullable(),
    newestMs: z.number().nullable(),
    /** Null without a temporal field or without times. */
    coverage: coverage.nullable(),
    /** Plain columns that the dataset still has, in its order. */
    columns: z.array(profiledColumn),
  })
  .meta({ id: "DatasetProfile" });
export type DatasetProfile = z.infer<typeof datasetProfile>;

export const datasetProfileState = z
  .object({
    /** `unsupported`: external datasets have no profile. `restricted`: the user may not see all rows. `none`: not profiled yet. */
    state: z.enum(["unsupported", "restricted", "none", "running", "done", "failed"]),
    /** The latest profile, also while the next one runs or after it failed; null until there is one. */
    profile: datasetProfile.nullable(),
    /** Why and when the latest attempt failed; null unless it did. */
    failure: z.object({ problem: z.string(), failedMs: z.int() }).nullable(),
  })
  .meta({ id: "DatasetProfileState" });
export type DatasetProfileState = z.infer<typeof datasetProfileState>;

/** Contents of a small picture of a dataset; empty until it has a profile. */
export const datasetThumbnail = z
  .object({
    coverage: coverage.nullable(),
    /** Latitude and longitude, in degrees, of some random rows. */
    positions: z.array(z.tuple([z.number(), z.number()])),
  })
  .meta({ id: "DatasetThumbnail" });
export type DatasetThumbnail = z.infer<typeof datasetThumbnail>;

/** Datasets whose pictures one answer holds; those after them by name have to be read one by one. */
export const maxThumbnails = 200;
/** Positions that one answer holds, shared evenly between its datasets. */
export const maxThumbnailPositions = 20_000;

export const listedThumbnail = z
  .object({
    dataset: datasetRef,
    /** Null beside positions, which the picture shows instead. */
    coverage: datasetThumbnail.shape.coverage,
    /** Latitude and longitude of some random rows, in tenths of a degree and each only once. */
    positions: datasetThumbnail.shape.positions,
  })
  .meta({ id: "ListedDatasetThumbnail" });

export const datasetProfiles = {
  read: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/profile",
    access: "signed-in",
    summary: "The values of a dataset's columns, its rows and its coverage over time, computed in the background.",
    params: datasetParams,
    response: datasetProfileState,
    apiKey: true,
  }),
  thumbnail: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/profile/thumbnail",
    access: "signed-in",
    summary: "What a small picture of a dataset shows: its coverage, and positions of some rows.",
    params: datasetParams,
    response: datasetThumbnail,
    apiKey: true,
  }),
  thumbnails: route({
    method: "GET",
    path: "/datasets/thumbnails",
    access: "signed-in",
    summary: `What small pictures of the datasets show that the user may reach and that have a profile: the first ${maxThumbnails} by name.`,
    response: z.array(listedThumbnail),
    versioned: true,
    apiKey: true,
  }),
  update: route({
    method: "POST",
    path: "/admin/datasets/internal/:id/profile",
    access: { role: "admin" },
    summary: "Compute the profile of a dataset again. Runs in the background.",
    params: z.object({ id: z.string().max(1_000) }),
    response: z.object({ requestedMs: z.int() }),
    status: 202,
  }),
};
