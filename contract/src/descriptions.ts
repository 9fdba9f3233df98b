import { z } from "zod";
import { datasetParams, datasetSchema } from "./datasets.ts";
import { route } from "./route.ts";
import { prose } from "./text.ts";

/** Number of characters of a dataset's description. */
export const datasetDescriptionCharacters = 20_000;
/** Number of characters of a column's description. */
export const columnDescriptionCharacters = 5_000;

/** Omitted columns keep their description. An empty text removes one. */
const descriptionsDraft = z
  .object({
    description: prose(datasetDescriptionCharacters),
    columnDescriptions: z
      .array(z.object({ columnName: z.string().max(1_000), description: prose(columnDescriptionCharacters) }))
      .max(2_000),
  })
  .meta({ id: "DescriptionsDraft" });
export type DescriptionsDraft = z.infer<typeof descriptionsDraft>;

/** One layer of descriptions of a dataset and of each of its columns, in their order; empty where there is none. */
const descriptionLayer = z
  .object({ description: z.string(), columns: z.array(z.object({ name: z.string(), description: z.string() })) })
  .meta({ id: "DescriptionLayer" });
export type DescriptionLayer = z.infer<typeof descriptionLayer>;

const descriptionRevision = descriptionLayer
  .extend({
    version: z.int(),
    /** Who saved it. */
    username: z.string(),
    /** Who suggested it, if it was saved by approving a suggestion. */
    suggestedBy: z.string().nullable(),
    savedMs: z.number(),
  })
  .meta({ id: "DescriptionRevision" });
export type DescriptionRevision = z.infer<typeof descriptionRevision>;

/** Number of revisions in one answer. Large ones come in fewer, so a page may be shorter and not be the last. */
export const revisionsPage = 20;

/** Maximum size of the body that saves descriptions. */
const draftBytes = 8_000_000;

/** The type, in a CSV of descriptions, of the row that describes the dataset itself. */
export const datasetRowType = "Dataset";

/** Role that allows editing community descriptions. */
export const schemaEditRole = "schema-edit";

/**
 * A dataset's schema and its descriptions. Every response has an ETag; a save whose If-Match is older is refused with
 * `stale-version`, and `current` then holds the stored descriptions. A save without If-Match overwrites.
 */
export const descriptions = {
  schema: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/schema",
    access: "signed-in",
    summary: "The dataset's schema with its descriptions.",
    params: datasetParams,
    response: datasetSchema,
    versioned: true,
    apiKey: true,
  }),
  community: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/description/community",
    access: "signed-in",
    summary: "The community's descriptions of a dataset and its columns.",
    params: datasetParams,
    response: descriptionLayer,
    versioned: true,
    apiKey: true,
  }),
  saveCommunity: route({
    method: "PUT",
    path: "/datasets/:category/:datasetId/description/community",
    access: { role: schemaEditRole },
    summary: "Save the community's descriptions, which every user of the dataset sees.",
    params: datasetParams,
    body: descriptionsDraft,
    response: descriptionLayer,
    bodyLimit: draftBytes,
    versioned: true,
  }),
  communityRevisions: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/description/community/revisions",
    access: "signed-in",
    summary: `The latest saved states of the community's descriptions, newest first, ${revisionsPage} at a time.`,
    params: datasetParams,
    query: z.object({
      /** The last version of the previous page. */
      before: z.coerce.number().pipe(z.int().positive().max(Number.MAX_SAFE_INTEGER)).optional(),
    }),
    response: z.array(descriptionRevision),
    apiKey: true,
  }),
  csv: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/descriptions.csv",
    access: "signed-in",
    summary:
      "All descriptions of a dataset as text/csv with the columns column, type, system, community and private. The first row, without a column's name, describes the dataset. A leading apostrophe keeps text from being run as a formula.",
    params: datasetParams,
    query: z.object({
      /** Begins with a byte order mark, by which Excel recognizes UTF-8. */
      bom: z.enum(["true", "false"]).default("false"),
    }),
    response: z.string(),
    streamed: true,
    mediaTypes: ["text/csv"],
    cookie: true,
    apiKey: true,
  }),
  user: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/description/user",
    access: "signed-in",
    summary: "The user's private descriptions of a dataset and its columns.",
    params: datasetParams,
    response: descriptionLayer,
    versioned: true,
    apiKey: true,
  }),
  saveUser: route({
    method: "PUT",
    path: "/datasets/:category/:datasetId/description/user",
    access: "signed-in",
    summary: "Save the user's private descriptions, which nobody else sees.",
    params: datasetParams,
    body: descriptionsDraft,
    response: descriptionLayer,
    bodyLimit: draftBytes,
    versioned: true,
  }),
};
