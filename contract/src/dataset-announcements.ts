import { z } from "zod";
import { datasetParams, datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { prose } from "./text.ts";

/** Urgency and meaning of an announcement, shown by color and label. */
export const announcementKinds = ["note", "warning", "deprecated"] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

export const announcementTextCharacters = 1_000;

const fields = {
  kind: z.enum(announcementKinds),
  /** Markdown without HTML. Empty only for `deprecated`. */
  text: prose(announcementTextCharacters),
  /** The dataset to use instead, only for `deprecated`. */
  replacement: datasetRef.nullable().default(null),
  /** Shown until this time; null = until it is removed. */
  endMs: z.int().min(0).max(8_640_000_000_000_000).nullable().default(null),
};

const announcementDraft = z
  .object({
    ...fields,
    /** Of the announcement that this one replaces; 0 if the dataset has none. Omitted = replace any. */
    version: z.int().min(0).max(2_147_483_647).optional(),
  })
  .superRefine(({ kind, text, replacement }, context) => {
    if (kind === "deprecated") return;
    if (text.trim() === "") context.addIssue({ code: "custom", path: ["text"], message: "is blank" });
    if (replacement !== null) context.addIssue({ code: "custom", path: ["replacement"], message: "is only for a deprecated dataset" });
  })
  .meta({ id: "DatasetAnnouncementDraft" });
export type AnnouncementDraft = z.input<typeof announcementDraft>;

/** An announcement by administrators on a dataset. A dataset has at most one. */
export const datasetAnnouncement = z
  .object({
    dataset: datasetRef,
    ...fields,
    /** Null as well if the caller may not know about it. */
    replacement: datasetRef.nullable(),
    /** Changes with every save, and is never used again for another announcement. */
    version: z.int(),
    /** The administrator who saved it. */
    username: z.string(),
    savedMs: z.int(),
  })
  .meta({ id: "DatasetAnnouncement" });
export type DatasetAnnouncement = z.infer<typeof datasetAnnouncement>;

/** A save with an older `version` is refused with `stale-version`, and `current` holds the stored announcement or null. */
export const datasetAnnouncements = {
  list: route({
    method: "GET",
    path: "/datasets/announcements",
    access: "signed-in",
    summary: "What administrators announce on the datasets that the user may reach, such as that one is deprecated.",
    response: z.array(datasetAnnouncement),
    apiKey: true,
  }),
  listAll: route({
    method: "GET",
    path: "/admin/datasetAnnouncements",
    access: { role: "admin" },
    summary: "The announcements on all datasets, including ended ones.",
    response: z.array(datasetAnnouncement),
  }),
  save: route({
    method: "PUT",
    path: "/admin/datasetAnnouncements/:category/:datasetId",
    access: { role: "admin" },
    summary: "Announce something on a dataset, or change what is announced.",
    params: datasetParams,
    body: announcementDraft,
    response: datasetAnnouncement,
  }),
  remove: route({
    method: "DELETE",
    path: "/admin/datasetAnnouncements/:category/:datasetId",
    access: { role: "admin" },
    summary: "Remove the announcement on a dataset; with a version, only that one.",
    params: datasetParams,
    query: z.object({ version: z.coerce.number().pipe(z.int().min(1).max(2_147_483_647)).optional() }),
    response: z.undefined(),
  }),
};
