import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** A dataset as listed in the catalog. */
const catalogEntry = z
  .object({
    dataset: datasetRef,
    description: z.string(),
    communityDescription: z.string(),
    containsLocationData: z.boolean(),
    supportsMapResults: z.boolean(),
  })
  .meta({ id: "CatalogEntry" });
export type CatalogEntry = z.infer<typeof catalogEntry>;

const catalogField = z.enum(["name", "category", "tag", "column", "description", "columnDescription"]);
export type CatalogField = z.infer<typeof catalogField>;

const catalogMatch = z
  .object({
    field: catalogField,
    /** Who wrote the text: the owner of the dataset, the community, or the user. */
    layer: z.enum(["system", "community", "private"]),
    /** Null unless the match is in a column. */
    columnName: z.string().nullable(),
    /** The text, or a part of a long one. */
    text: z.string(),
    /** The parts of `text` that match, in order: from `start` to before `end`. */
    ranges: z.array(z.object({ start: z.int(), end: z.int() })),
  })
  .meta({ id: "CatalogMatch" });
export type CatalogMatch = z.infer<typeof catalogMatch>;

const catalogHit = catalogEntry
  .extend({
    /** The best matches first. Of several columns, only some. */
    matches: z.array(catalogMatch),
    /** The words, as typed, that do not match: the dataset is one of those with the most words, because none has all of them. */
    missing: z.array(z.string()).optional(),
  })
  .meta({ id: "CatalogHit" });
export type CatalogHit = z.infer<typeof catalogHit>;

/** `match`: the best match first. `name`: by the names of the datasets. */
const catalogSort = z.enum(["match", "name"]);

export const catalogSearchLimits = { characters: 200, words: 12, hits: 1_000 } as const;

const yesOrNo = z.enum(["true", "false"]);

const filters = {
  /** Part of a column's name, in upper or lower case. */
  columnName: storableText.max(1_000).optional(),
  containsLocationData: yesOrNo.optional(),
  supportsMapResults: yesOrNo.optional(),
};

export const catalog = {
  entries: route({
    method: "GET",
    path: "/datasets/schema",
    access: "signed-in",
    summary: "The datasets that the user may reach, by name. Every parameter narrows them.",
    query: z.object(filters),
    response: z.array(catalogEntry),
    apiKey: true,
  }),
  find: route({
    method: "GET",
    path: "/datasets/find",
    access: "signed-in",
    summary: "Search the names, categories, tags, columns and descriptions of the datasets that the user may reach.",
    query: z.object({
      /** Words that all have to match: exactly, as a part of a word, or with a typing error. If no dataset has all, those with the most. */
      text: storableText.max(catalogSearchLimits.characters),
      /** Part of a dataset's name, in upper or lower case. */
      datasetName: storableText.max(1_000).optional(),
      ...filters,
      sort: catalogSort.default("match"),
      offset: z.coerce.number().pipe(z.int().min(0).max(1_000_000)).default(0),
      limit: z.coerce.number().pipe(z.int().min(1).max(catalogSearchLimits.hits)).default(50),
    }),
    response: z
      .object({
        /** Of all hits, from the first to the last page. */
        total: z.int(),
        hits: z.array(catalogHit),
      })
      .meta({ id: "CatalogHits" }),
    apiKey: true,
  }),
};
