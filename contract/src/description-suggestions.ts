import { z } from "zod";
import { datasetParams, datasetRef } from "./datasets.ts";
import { columnDescriptionCharacters, datasetDescriptionCharacters, schemaEditRole } from "./descriptions.ts";
import { plainLine, prose, requiredProse } from "./text.ts";
import { route } from "./route.ts";

/** The most open suggestions of one dataset. */
export const maxSuggestionsPerDataset = 1_000;

const columnName = z.string().max(1_000).nullable();

const descriptionSuggestion = z
  .object({
    id: z.string(),
    /** The described column; null for the dataset itself. */
    columnName,
    /** The suggested community description. */
    description: z.string(),
    /** The community description when this was suggested. */
    replaces: z.string(),
    /** Who suggests it. */
    username: z.string(),
    /** The full name; empty if the account has none. */
    name: z.string(),
    isOwn: z.boolean(),
    /** When it was suggested, or last replaced. */
    suggestedMs: z.number(),
  })
  .meta({ id: "DescriptionSuggestion" });
export type DescriptionSuggestion = z.infer<typeof descriptionSuggestion>;

const suggestionDraft = z
  .object({ columnName, description: requiredProse(datasetDescriptionCharacters) })
  .refine(({ columnName: column, description }) => column === null || description.length <= columnDescriptionCharacters, {
    path: ["description"],
    message: `must not contain more than ${columnDescriptionCharacters} characters`,
  })
  .meta({ id: "DescriptionSuggestionDraft" });

/** Number of characters of the reason for a declined suggestion. */
export const declineReasonCharacters = 500;

const suggestionDecision = z
  .object({
    decision: z.enum(["approve", "decline"]),
    /** The suggested text that the reviewer has read. */
    description: prose(datasetDescriptionCharacters),
    /** The community description that the reviewer has seen beside it. */
    replaces: prose(datasetDescriptionCharacters),
    /** Reason that the suggester of a declined suggestion sees. */
    reason: plainLine(0, declineReasonCharacters).default(""),
  })
  .meta({ id: "DescriptionSuggestionDecision" });

const suggestionParams = datasetParams.extend({ id: z.string().max(100) });

/**
 * Suggested community descriptions. Holders of `schema-edit` see the open suggestions of everyone, other users their own. A decided or
 * withdrawn suggestion is removed.
 */
export const descriptionSuggestions = {
  counts: route({
    method: "GET",
    path: "/datasets/suggestions",
    access: "signed-in",
    summary: "How many suggestions of community descriptions are open, of each dataset that has some, the newest first.",
    response: z.array(
      z
        .object({
          dataset: datasetRef,
          /** Those that this user sees. */
          suggestions: z.int(),
          newestMs: z.number(),
        })
        .meta({ id: "DescriptionSuggestionCount" }),
    ),
    apiKey: true,
  }),
  list: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/description/suggestions",
    access: "signed-in",
    summary:
      "Open suggestions of community descriptions of a dataset and its columns, oldest first: all for the role schema-edit, else only the user's own.",
    params: datasetParams,
    response: z.array(descriptionSuggestion),
    apiKey: true,
  }),
  suggest: route({
    method: "PUT",
    path: "/datasets/:category/:datasetId/description/suggestions",
    access: "signed-in",
    summary: "Suggest a community description of the dataset or of a column. Replaces the user's open suggestion for the same.",
    params: datasetParams,
    body: suggestionDraft,
    response: descriptionSuggestion,
  }),
  withdraw: route({
    method: "DELETE",
    path: "/datasets/:category/:datasetId/description/suggestions/:id",
    access: "signed-in",
    summary: "Withdraw the user's own suggestion.",
    params: suggestionParams,
    response: z.undefined(),
  }),
  decide: route({
    method: "PUT",
    path: "/datasets/:category/:datasetId/description/suggestions/:id/decision",
    access: { role: schemaEditRole },
    summary:
      "Approve or decline a suggestion. An approved one becomes the community description. 409 if the suggestion or the description it replaces is another one than the reviewer has read.",
    params: suggestionParams,
    body: suggestionDecision,
    response: z.undefined(),
  }),
};
