import { z } from "zod";
import { datasetParams, datasetRef } from "./datasets.ts";
import { lookup } from "./derived-columns.ts";
import { recordOf } from "./records.ts";
import { route } from "./route.ts";
import { cellValue, searchData } from "./search.ts";

/** Keys of a dataset that are looked for in the other one at most: the most frequent. */
export const maxKeysTried = 1_000;
/** Keys that a report shows with the values found for them. */
export const maxKeysShown = 5;

const keyPair = lookup.shape.key.element;

export const lookupTarget = datasetRef
  .extend({
    /** Why its columns cannot be looked up; null if they can. */
    reason: z.string().nullable(),
    /** A key that the names of the columns and the links between datasets suggest. Nobody has compared their values. */
    key: keyPair.nullable(),
  })
  .meta({ id: "LookupTarget" });
export type LookupTarget = z.infer<typeof lookupTarget>;

export const lookupReportRequest = z.object({
  dataset: datasetRef,
  match: lookup.shape.match,
  /** Without it, one is proposed by names, types, and by how many values are found. */
  key: lookup.shape.key.optional(),
  /** The column here that a proposed key takes. Default: any. */
  column: keyPair.shape.column.optional(),
  /** Its rows have the keys, and its columns may be keys. Default: all rows. */
  search: searchData.optional(),
});

export const lookupReport = z
  .object({
    /** As asked for, or the proposed one, of a single pair; empty if none is likely. The rest is about this key. */
    key: z.array(keyPair),
    /** Plain columns of the other dataset that may be looked up. */
    columns: z.array(z.string()),
    /** Different keys of the rows, and how many of them have a match. */
    values: z.int(),
    found: z.int(),
    /** False if there are more keys than were tried. */
    complete: z.boolean(),
    /** Keys of the other dataset, how many of them stand in several rows, and the first of these. Null if this user may not see all its rows. */
    others: z.object({ keys: z.int(), repeated: z.int(), first: z.array(cellValue).nullable() }).nullable(),
    /** The most frequent keys, and what is found for each by column of the other dataset; null without a match. */
    rows: z.array(z.object({ key: z.array(cellValue), values: recordOf(z.string(), cellValue).nullable() })),
  })
  .meta({ id: "LookupReport" });
export type LookupReport = z.infer<typeof lookupReport>;

export const lookups = {
  targets: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/lookupTargets",
    access: "signed-in",
    summary: "The datasets whose columns this one may look up, and why others that the user may reach cannot be looked up.",
    params: datasetParams,
    response: z.array(lookupTarget),
    apiKey: true,
  }),
  report: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/lookupReport",
    access: "signed-in",
    summary: "How many keys of a dataset are found in another one, and what is found there, before its columns are looked up.",
    params: datasetParams,
    body: lookupReportRequest,
    response: lookupReport,
    apiKey: true,
  }),
};
