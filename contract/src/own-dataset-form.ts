import { z } from "zod";
import { entityWarning } from "./entity-warning.ts";
import { type OwnDatasetSettings, ownDatasetSettings } from "./internal-datasets.ts";
import { ownDataset, ownDatasetTitle } from "./own-datasets.ts";
import { route } from "./route.ts";

// Apart from the other calls, as screens that only list own datasets would load the schema of all settings.

/** As the gateway has them: a web app of another version takes fields and values that it does not know, too. */
const shownSettings = z.custom<OwnDatasetSettings>((settings) => typeof settings === "object" && settings !== null);

/** With all settings, for those who may edit it. `version` is that of the settings. */
const editableOwnDataset = ownDataset
  .extend({
    settings: shownSettings,
    version: z.int(),
    /** Lookups and computed columns that cannot be made of what the caller may read. */
    warnings: z.array(entityWarning).optional(),
  })
  .meta({ id: "EditableOwnDataset" });
export type EditableOwnDataset = z.infer<typeof editableOwnDataset>;

const originalFile = z.object({
  /** In its version, from 1. */
  number: z.int(),
  file: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Null if it is not known. */
  rows: z.int().nullable(),
  addedMs: z.int(),
  /** A label of `textEncodings`; null of files that are no text, and if it is not known. */
  encoding: z.string().nullable(),
  /** Null if it is not known. */
  unreadable: z
    .object({
      lines: z.int(),
      values: z.int(),
      /** Whether there are no more such values. */
      isExact: z.boolean(),
      /** At most five; `column` is null of whole lines, which count from 1. */
      first: z.array(z.object({ column: z.string().nullable(), line: z.int().nullable(), text: z.string() })),
    })
    .nullable(),
});
export type OwnDatasetFile = z.infer<typeof originalFile>;

const ownDatasetFiles = z
  .object({
    /** The current version of the rows. */
    dataVersion: z.int(),
    files: z.array(originalFile),
    /** Why the files cannot be read in another way; null if they can. */
    notReadAgain: z.string().nullable(),
  })
  .meta({ id: "OwnDatasetFiles" });
export type OwnDatasetFiles = z.infer<typeof ownDatasetFiles>;

const params = z.object({ id: z.string() });

export const ownDatasetForm = {
  one: route({
    method: "GET",
    path: "/ownDatasets/:id",
    access: "signed-in",
    summary: "An own dataset with its settings, for its owner and those who may edit it.",
    params,
    response: editableOwnDataset,
  }),
  save: route({
    method: "PUT",
    path: "/ownDatasets/:id",
    access: "signed-in",
    summary: "Saves the settings. Refused with `stale-version` and the stored ones if they have changed since.",
    params,
    body: z.object({ version: z.int(), title: ownDatasetTitle.nullish(), settings: ownDatasetSettings }),
    response: editableOwnDataset,
    audit: "security",
  }),
  files: route({
    method: "GET",
    path: "/ownDatasets/:id/files",
    access: "signed-in",
    summary: "The files that the current rows of an own dataset were made of, and what could not be read of them.",
    params,
    response: ownDatasetFiles,
  }),
  file: route({
    method: "GET",
    path: "/ownDatasets/:id/files/:n",
    access: "signed-in",
    summary: "One of these files as it was given, by its number in a version of the rows, the current one if none is named.",
    params: params.extend({ n: z.string() }),
    query: z.object({ version: z.coerce.number().int().min(1).optional() }),
    response: z.string(),
    streamed: true,
    mediaTypes: ["application/octet-stream"],
    cookie: true,
  }),
};
