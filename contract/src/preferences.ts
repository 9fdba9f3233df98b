import { z } from "zod";
import { type DatasetRef, datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";
import { recordOf } from "./records.ts";

export const preferenceLimits = { perUser: 500, valueBytes: 100_000, keyCharacters: 500 } as const;

/** The key of the time zone that results are shown in. */
export const zoneKey = "zone";

const escapePart = (part: string): string => part.replaceAll("%", "%25").replaceAll(":", "%3A");
const unescapePart = (part: string): string => part.replaceAll("%3A", ":").replaceAll("%25", "%");

/** The key of a dataset's columns. */
export const columnsKey = ({ datasetCategory, datasetId }: DatasetRef): string =>
  `columns:${escapePart(datasetCategory)}:${escapePart(datasetId)}`;

/** The dataset whose columns have this key; null for every other key. */
export function datasetOfColumnsKey(key: string): DatasetRef | null {
  const [kind, category = "", datasetId = "", ...more] = key.split(":");
  if (kind !== "columns" || category === "" || datasetId === "" || more.length > 0) return null;
  const parsed = datasetRef.safeParse({ datasetCategory: unescapePart(category), datasetId: unescapePart(datasetId) });
  return parsed.success && columnsKey(parsed.data) === key ? parsed.data : null;
}

export const preferenceKey = storableText
  .min(1)
  .max(preferenceLimits.keyCharacters)
  .refine((key) => key === zoneKey || datasetOfColumnsKey(key) !== null, "is neither 'zone' nor 'columns:{category}:{datasetId}'");

/** The zone that times are shown in; `local` is that of the browser. */
const zonePreference = z.object({ kind: z.literal("zone"), zone: z.enum(["utc", "local"]) }).meta({ id: "ZonePreference" });

const columnName = storableText;

/** How a user arranged the columns of a dataset, by column name. */
const columnsPreference = z
  .object({
    kind: z.literal("columns"),
    /** Pinned columns first. */
    order: z.array(columnName),
    hidden: z.array(columnName),
    pinned: z.array(columnName),
    /** CSS pixels, for columns with a changed width. */
    widths: recordOf(columnName, z.number().min(0).max(10_000)),
  })
  .meta({ id: "ColumnsPreference" });
export type ColumnsPreference = z.infer<typeof columnsPreference>;

export const preferenceValue = z.discriminatedUnion("kind", [zonePreference, columnsPreference]);
export type PreferenceValue = z.infer<typeof preferenceValue>;

/** The kind of value that a key takes. */
export const kindOfKey = (key: string): PreferenceValue["kind"] => (key === zoneKey ? "zone" : "columns");

const preference = z.object({ key: z.string(), value: preferenceValue }).meta({ id: "Preference" });
export type Preference = z.infer<typeof preference>;

const params = z.object({ key: preferenceKey });

export const preferences = {
  list: route({
    method: "GET",
    path: "/preferences",
    access: "signed-in",
    summary:
      "What the user has chosen on any device: the zone of times (key `zone`) and the columns of datasets (`columns:{category}:{datasetId}`).",
    response: z.array(preference),
    streamed: true,
  }),
  save: route({
    method: "PUT",
    path: "/preferences/:key",
    access: "signed-in",
    summary: "Saves one preference; of simultaneous calls, the last one wins. 409 when the user has the maximum number of them.",
    params,
    body: z.object({ value: preferenceValue }),
    response: preference,
  }),
  remove: route({
    method: "DELETE",
    path: "/preferences/:key",
    access: "signed-in",
    summary: "Removes one preference, so that its default applies again.",
    params,
    response: z.undefined(),
  }),
};
