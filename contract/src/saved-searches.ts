import { z } from "zod";
import { countCorners, maxCorners, parseRing } from "./areas.ts";
import { datasetRef } from "./datasets.ts";
import { searchColumns } from "./derived-columns.ts";
import { lastSpan } from "./relative-times.ts";
import { route } from "./route.ts";
import { searchFilter, sortKey, timeBounds } from "./search.ts";
import { newOwner, newShares, ownerState, ownOrShared, share, shareDrafts } from "./sharing.ts";
import { newName, prose, storableText, storedName } from "./text.ts";

export const savedSearchLimits = {
  nameCharacters: 100,
  descriptionCharacters: 1_000,
  queryCharacters: 200_000,
  filters: 200,
  columns: 2_000,
  roles: 50,
  perUser: 500,
  corners: maxCorners,
} as const;

/** The name of a saved search or graph template: trimmed, not blank, one line of at most 100 characters. */
export const savedName = newName(savedSearchLimits.nameCharacters);

/**
 * The last minutes, hours, days, weeks or months before the search runs: `24h`, `7d`. May also hold the start and end at the
 * time of saving, for clients that understand only those.
 */
const lastRange = timeBounds.extend({ last: lastSpan });

const fixedRange = timeBounds
  .extend({ last: z.undefined().optional() })
  .refine(({ start, end }) => start !== undefined || end !== undefined, "has neither a start nor an end")
  .refine(({ start, end }) => start === undefined || end === undefined || Date.parse(start) <= Date.parse(end), "ends before it starts");

const polygons = z
  .array(z.string().max(savedSearchLimits.queryCharacters))
  .min(1)
  .max(100)
  .superRefine((texts, context) => {
    // Limits the total before parsing, because the search for crossing edges is expensive.
    const corners = texts.reduce((sum, text) => sum + countCorners(text), 0);
    if (corners > savedSearchLimits.corners) {
      context.addIssue({ code: "custom", message: `has ${corners} corners, more than ${savedSearchLimits.corners}` });
      return;
    }
    for (const [index, text] of texts.entries()) {
      const parsed = parseRing(text);
      if ("problem" in parsed) context.addIssue({ code: "custom", message: parsed.problem, path: [index] });
    }
  });

export const savedRange = z.union(
  [lastRange, fixedRange],
  "is neither {start, end} in UTC, in their order and at least one of them, nor {last} such as 24h",
);
export const savedArea = z.object({ polygons });

/** Cells of the map are chosen for a moment. Refused by name, because without them a search would find more rows than it showed. */
const noCell = z.undefined({ error: "narrows a search that runs; a saved one has an area instead" }).optional();

/** Content of a saved search's `query`. Unknown fields are accepted: a later version may have written them. */
export const savedQuery = z.object({
  timeRange: savedRange.optional(),
  geospatial: savedArea.optional(),
  within: noCell,
  filters: z.array(searchFilter).max(savedSearchLimits.filters).default([]),
  columns: z.array(z.string()).max(savedSearchLimits.columns).optional(),
  sort: z.array(sortKey).max(10).optional(),
  computed: searchColumns.shape.computed,
  lookups: searchColumns.shape.lookups,
  view: z.enum(["table", "raw", "map", "graphs"]).optional(),
});
export type SavedQuery = z.infer<typeof savedQuery>;

/** Parses the text of a saved query. The messages complete sentences whose subject is the field at `path`. */
export function parseSavedQuery(
  text: string,
): { readonly query: SavedQuery } | { readonly problems: readonly { path: string; message: string }[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { problems: [{ path: "", message: "is not JSON" }] };
    throw error;
  }
  const parsed = savedQuery.safeParse(json);
  if (parsed.success) return { query: parsed.data };
  return { problems: parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })) };
}

const description = storableText.trim().max(savedSearchLimits.descriptionCharacters);
/** Roles that something is shared with. */
export const sharedRoles = z.array(z.string().min(1).max(200)).max(savedSearchLimits.roles);
const queryText = prose(savedSearchLimits.queryCharacters);

const savedSearch = datasetRef
  .extend({
    id: z.string(),
    queryName: z.string(),
    description: z.string(),
    /** JSON, see `SavedQuery`. */
    query: z.string(),
    /** Alias of `query`. */
    queryJson: z.string(),
    sharedWithRoles: z.array(z.string()),
    can: ownOrShared,
    /** All for its owner, otherwise those that reach the caller. None for an API key. */
    shares: z.array(share),
    /** Counts the saves, from 1. */
    version: z.int(),
    createdDateMs: z.number(),
  })
  .meta({ id: "SavedSearch" });
export type SavedSearch = z.infer<typeof savedSearch>;

const sharedSearch = savedSearch
  .extend({
    /** Username; empty if the account has been deleted. */
    owner: z.string(),
    ownerState,
  })
  .meta({ id: "SharedSearch" });
export type SharedSearch = z.infer<typeof sharedSearch>;

/** `query` and `queryJson` are aliases: at least one is required, and both must be equal. */
const savedSearchDraft = datasetRef
  .extend({
    queryName: savedName,
    query: queryText.optional(),
    queryJson: queryText.optional(),
    description: description.default(""),
    shares: shareDrafts.default([]),
    /** Further roles, as clients write them that know only roles. */
    sharedWithRoles: sharedRoles.default([]),
  })
  .meta({ id: "SavedSearchDraft" });

/** If both `query` and `queryJson` are present, the one that differs from the saved value applies. */
const savedSearchChange = z
  .object({
    queryName: storedName,
    query: queryText.optional(),
    queryJson: queryText.optional(),
    description: description.optional(),
    sharedWithRoles: sharedRoles.optional(),
    /** The version that was changed. Without it, whatever was saved in the meantime is replaced. */
    version: z.int().min(1).optional(),
  })
  .meta({ id: "SavedSearchChange" });

const params = z.object({ id: z.string() });

export const savedSearches = {
  list: route({
    method: "GET",
    path: "/favorite/queries",
    access: "signed-in",
    summary: "The user's own saved searches, by name.",
    response: z.array(savedSearch),
  }),
  shared: route({
    method: "GET",
    path: "/favorite/queries/shared",
    access: "signed-in",
    summary: "Searches that others share with the user, on datasets within the user's reach.",
    response: z.array(sharedSearch),
  }),
  create: route({
    method: "POST",
    path: "/favorite/queries",
    access: "signed-in",
    summary: "Save a search. 400 when its query does not parse; 409 when the user has one of that name, in any case, on the dataset.",
    body: savedSearchDraft,
    response: savedSearch,
    status: 201,
    audit: "security",
  }),
  edit: route({
    method: "PUT",
    path: "/favorite/queries/:id",
    access: "signed-in",
    summary:
      "Change the name, query or description of a saved search that the user may edit; omitted fields stay as they are. Roles only by its owner. 409 `stale-version` when it was saved since the version that was changed.",
    params,
    body: savedSearchChange,
    response: savedSearch,
    audit: "security",
  }),
  share: route({
    method: "PUT",
    path: "/favorite/queries/:id/shares",
    access: "signed-in",
    summary: "Replaces the shares. For the owner.",
    params,
    body: newShares,
    response: savedSearch,
    audit: "security",
  }),
  leave: route({
    method: "DELETE",
    path: "/favorite/queries/:id/shares/mine",
    access: "signed-in",
    summary: "Removes the caller's own share.",
    params,
    response: z.undefined(),
    audit: "security",
  }),
  transfer: route({
    method: "PUT",
    path: "/favorite/queries/:id/owner",
    access: "signed-in",
    summary: "Gives the saved search to someone who can edit it; an administrator gives it to any enabled account.",
    params,
    body: newOwner,
    response: z.undefined(),
    audit: "security",
  }),
  remove: route({
    method: "DELETE",
    path: "/favorite/queries",
    access: "signed-in",
    summary: "Delete the user's saved search with this dataset and name.",
    body: datasetRef.extend({ queryName: storedName, query: z.string().optional() }),
    response: z.undefined(),
  }),
};
