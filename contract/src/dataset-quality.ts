import { z } from "zod";
import { type DatasetAbout, overdueAfterHours } from "./dataset-about.ts";
import { datasetParams, datasetRef } from "./datasets.ts";
import { route } from "./route.ts";

/** Names of empty columns that a response lists. */
export const emptyColumnsListed = 20;

/** When a dataset counts as flawed. Every field may be absent. */
export const qualitySettings = z.object({
  /**
   * Rows are late if the newest one is older than this when the dataset is measured. Default: by the update rhythm, which may
   * have none. Null = as by default.
   */
  lateAfterHours: z.number().positive().max(876_000).nullish(),
  /** Between two measurements, this share of the rows may not disappear. Default: 20. 100 = only all of them. */
  rowDropPercent: z.number().positive().max(100).nullish(),
  /** Whether a column that had values may not become empty. Default: true. */
  emptyColumns: z.boolean().nullish(),
});
export type QualitySettings = z.infer<typeof qualitySettings>;

const defaultRowDropPercent = 20;

/** With defaults applied. Without `lateAfterHours`, rows are never late. */
const qualityThresholds = z
  .object({
    lateAfterHours: z.number().nullable(),
    /** Whether `lateAfterHours` is that of the update rhythm, for which any change of the rows counts as an update. */
    isByRhythm: z.boolean(),
    rowDropPercent: z.number(),
    emptyColumns: z.boolean(),
  })
  .meta({ id: "QualityThresholds" });
export type QualityThresholds = z.infer<typeof qualityThresholds>;

/** The thresholds of a dataset. */
export function qualityThresholdsOf({
  quality,
  updateRhythm,
}: { quality?: QualitySettings | null | undefined } & DatasetAbout): QualityThresholds {
  const byRhythm = updateRhythm ? overdueAfterHours[updateRhythm] : null;
  return {
    lateAfterHours: quality?.lateAfterHours ?? byRhythm,
    isByRhythm: typeof quality?.lateAfterHours !== "number" && byRhythm !== null,
    rowDropPercent: quality?.rowDropPercent ?? defaultRowDropPercent,
    emptyColumns: quality?.emptyColumns ?? true,
  };
}

/** A flaw of a dataset. `sinceMs` is the time from which it was noticed, or from which rows are late. */
export const qualityIssue = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("late"),
      sinceMs: z.number(),
      /** Time of the newest row; by the rhythm, of the latest change of the rows if that is later. */
      updatedMs: z.number(),
      lateAfterHours: z.number(),
    }),
    z.object({
      kind: z.literal("row-drop"),
      sinceMs: z.number(),
      /** Rows before the drop. */
      before: z.int(),
      /** Rows now. */
      rows: z.int(),
    }),
    z.object({
      kind: z.literal("empty-columns"),
      sinceMs: z.number(),
      /** All of them. */
      count: z.int(),
      /** The first ones by name. */
      columns: z.array(z.object({ name: z.string(), sinceMs: z.number() })),
    }),
  ])
  .meta({ id: "QualityIssue" });
export type QualityIssue = z.infer<typeof qualityIssue>;

export const datasetQuality = z
  .object({
    dataset: datasetRef,
    /** When the dataset was last measured. */
    measuredMs: z.int(),
    issues: z.array(qualityIssue).min(1),
  })
  .meta({ id: "DatasetQuality" });
export type DatasetQuality = z.infer<typeof datasetQuality>;

const qualityReport = z
  .object({
    /** `unsupported`: external datasets are not measured. `restricted`: the user may not see all rows. `unknown`: not measured twice yet. */
    state: z.enum(["unsupported", "restricted", "unknown", "good", "issues"]),
    measuredMs: z.int().nullable(),
    issues: z.array(qualityIssue),
    /** Null for external datasets. */
    thresholds: qualityThresholds.nullable(),
    /** The latest changes of the issues, newest first: those that there were from then on. */
    changes: z.array(z.object({ changedMs: z.int(), issues: z.array(qualityIssue) })),
  })
  .meta({ id: "QualityReport" });
export type QualityReport = z.infer<typeof qualityReport>;

export const datasetQualities = {
  list: route({
    method: "GET",
    path: "/datasets/quality",
    access: "signed-in",
    summary: "The datasets that the user may reach whose rows are late, fewer than before or empty in a column.",
    response: z.array(datasetQuality),
    apiKey: true,
  }),
  read: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/quality",
    access: "signed-in",
    summary: "Whether the rows of a dataset are late, fewer than before or empty in a column, and the latest changes of this.",
    params: datasetParams,
    response: qualityReport,
    apiKey: true,
  }),
  listAll: route({
    method: "GET",
    path: "/admin/datasetQuality",
    access: { role: "admin" },
    summary: "Every internal dataset whose rows are late, fewer than before or empty in a column.",
    response: z.array(datasetQuality),
  }),
};
