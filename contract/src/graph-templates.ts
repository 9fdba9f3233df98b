import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { savedName } from "./saved-searches.ts";
import { prose, storedName } from "./text.ts";

export const graphTemplateLimits = { jsonCharacters: 200_000, perUser: 500 } as const;

const graphTemplate = datasetRef
  .extend({ id: z.string(), templateName: z.string(), templateJson: z.string(), createdDateMs: z.number() })
  .meta({ id: "GraphTemplate" });

const graphTemplateDraft = datasetRef
  .extend({
    templateName: savedName,
    /** A JSON object that only the web app's graphs interpret. */
    templateJson: prose(graphTemplateLimits.jsonCharacters),
  })
  .meta({ id: "GraphTemplateDraft" });

export const graphTemplates = {
  list: route({
    method: "GET",
    path: "/favorite/graphTemplates",
    access: "signed-in",
    summary: "The user's own graph templates, by name.",
    response: z.array(graphTemplate),
  }),
  create: route({
    method: "POST",
    path: "/favorite/graphTemplates",
    access: "signed-in",
    summary: "Save a graph template. 409 when the user has one of that name, in any case, on the dataset.",
    body: graphTemplateDraft,
    response: graphTemplate,
    status: 201,
  }),
  remove: route({
    method: "DELETE",
    path: "/favorite/graphTemplates",
    access: "signed-in",
    summary: "Delete the user's graph template with this dataset and name.",
    body: datasetRef.extend({ templateName: storedName, templateJson: z.string().optional() }),
    response: z.undefined(),
  }),
};
