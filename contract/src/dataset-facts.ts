import { z } from "zod";
import { datasetAbout } from "./dataset-about.ts";
import { datasetParams, datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** Searches are counted over this many days (UTC), today included. */
export const usageDays = 30;

/** Null where not filled. */
const filledAbout = z.object({
  owner: z.string().nullable(),
  /** A mail address or an https address. */
  contact: z.string().nullable(),
  origin: z.object({ text: z.string(), link: z.string().nullable() }).nullable(),
  license: z.object({ text: z.string(), link: z.string().nullable() }).nullable(),
  updateRhythm: datasetAbout.shape.updateRhythm.unwrap().unwrap().nullable(),
  tags: z.array(z.string()),
});

export const datasetFacts = z
  .object({
    dataset: datasetRef,
    /** `request`: an external service computes the rows when they are searched, so the figures below are null. */
    rowsFrom: z.enum(["storage", "request"]),
    columns: z.int(),
    /** From the latest profile; null until there is one. */
    rows: z.int().nullable(),
    /** First and last time in the data; null without a temporal field. */
    oldestMs: z.number().nullable(),
    newestMs: z.number().nullable(),
    /** When the data were last seen to change, or the time of the newest row if that is later; null if neither is known. */
    updatedMs: z.number().nullable(),
    /** When the next update is overdue by the rhythm; null without a rhythm that has a period, or without `updatedMs`. */
    dueMs: z.number().nullable(),
    ...filledAbout.shape,
    /** Searches of all users within the last `usageDays`. */
    searches: z.int(),
  })
  .meta({ id: "DatasetFacts" });
export type DatasetFacts = z.infer<typeof datasetFacts>;

const link = z.object({
  dataset: datasetRef,
  /** How the link is named. */
  display: z.string(),
  /** Columns of the target that the link filters. */
  columns: z.array(z.string()),
});

/** Only what the user may know about. */
export const datasetRelations = z
  .object({
    linksTo: z.array(link),
    linkedFrom: z.array(link),
    /** The user's own dataset groups that hold it, by name. Empty for API keys, which cannot read groups. */
    groups: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Filesets that rows name most often. */
    filesets: z.array(z.object({ id: z.string(), column: z.string() })),
  })
  .meta({ id: "DatasetRelations" });
export type DatasetRelations = z.infer<typeof datasetRelations>;

const name = storableText.max(1_000);

export const datasetFactRoutes = {
  facts: route({
    method: "GET",
    path: "/datasets/facts",
    access: "signed-in",
    summary: "Rows, time span, freshness, owner, tags and use of the datasets that the user may reach, by name.",
    query: z.object({
      /** With `datasetId`, only that dataset; the list is empty if the user may not reach it. */
      datasetCategory: name.optional(),
      datasetId: name.optional(),
    }),
    response: z.array(datasetFacts),
    apiKey: true,
  }),
  relations: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/relations",
    access: "signed-in",
    summary: "Datasets, dataset groups and filesets that a dataset is related to. Leaves out what the user may not know about.",
    params: datasetParams,
    response: datasetRelations,
    apiKey: true,
  }),
};
