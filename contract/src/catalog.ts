import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** What the catalog lists of a dataset. */
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

const yesOrNo = z.enum(["true", "false"]);

export const catalog = {
  entries: route({
    method: "GET",
    path: "/datasets/schema",
    access: "signed-in",
    summary: "The datasets that the user may reach, by name. Every parameter narrows them.",
    query: z.object({
      /** Part of a column's name, in upper or lower case. */
      columnName: storableText.max(1_000).optional(),
      containsLocationData: yesOrNo.optional(),
      supportsMapResults: yesOrNo.optional(),
    }),
    response: z.array(catalogEntry),
    apiKey: true,
  }),
};
