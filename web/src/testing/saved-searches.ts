import { graphTemplates } from "@fairway/contract/graph-templates";
import { type SavedSearch, savedSearches, type SharedSearch } from "@fairway/contract/saved-searches";
import { Refused } from "./contract-gateway.ts";
import { storms } from "./datasets-screen.ts";
import { gateway } from "./open-screen.tsx";

const [datasetCategory, datasetId] = storms;
const nameInUse = "A saved search with this name already exists for this dataset.";
const templateInUse = "A graph template with this name already exists for this dataset.";
const isSameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** A saved search of storm tracks. */
export const buildSavedSearch = (queryName: string, query: string, overrides: Partial<SavedSearch> = {}): SavedSearch => ({
  datasetCategory,
  datasetId,
  id: `s-${queryName}`,
  queryName,
  query,
  queryJson: query,
  description: "",
  sharedWithRoles: [],
  can: "own",
  shares: [],
  version: 1,
  createdDateMs: 0,
  ...overrides,
});

/** One that somebody else shares. */
export const buildSharedSearch = (queryName: string, query: string, overrides: Partial<SharedSearch> = {}): SharedSearch => ({
  ...buildSavedSearch(queryName, query),
  can: "view",
  owner: "grace",
  ownerState: "active",
  ...overrides,
});

/** Makes the gateway store the user's saved searches, initially these, and serve those shared by others. */
export function serveSavedSearches(saved: readonly SavedSearch[] = [], shared: readonly SharedSearch[] = []): void {
  let stored = [...saved];
  gateway.answer(savedSearches.list, () => stored);
  gateway.answer(savedSearches.shared, [...shared]);
  gateway.answer(savedSearches.create, ({ body }) => {
    if (stored.some(({ queryName }) => isSameName(queryName, body.queryName))) throw new Refused("name-taken", nameInUse);
    const { query = "", queryName, shares, ...rest } = body;
    const named = shares.map(({ to, can }) => ({ to: "id" in to ? { ...to, name: to.id } : { name: "Everyone", ...to }, can }));
    const created = buildSavedSearch(queryName, query, { ...rest, shares: named });
    stored = [...stored, created];
    return created;
  });
  gateway.answer(savedSearches.edit, ({ params, body }) => {
    const found = stored.find(({ id }) => id === params.id);
    if (!found) throw new Refused("not-found", "There is no such saved search.");
    if (stored.some((one) => one !== found && isSameName(one.queryName, body.queryName))) throw new Refused("name-taken", nameInUse);
    const edited = { ...found, ...body, queryJson: body.query ?? found.query, version: found.version + 1 };
    stored = stored.map((one) => (one === found ? edited : one));
    return edited;
  });
  gateway.answer(savedSearches.remove, ({ body }) => {
    stored = stored.filter(({ queryName }) => queryName !== body.queryName);
    return undefined;
  });
}

type GraphTemplate = ReturnType<typeof graphTemplates.list.response.parse>[number];

/** Makes the gateway store the user's graph templates, initially these. */
export function serveGraphTemplates(templates: readonly Omit<GraphTemplate, "id" | "createdDateMs">[] = []): void {
  let stored: GraphTemplate[] = templates.map((template) => ({ ...template, id: `t-${template.templateName}`, createdDateMs: 0 }));
  gateway.answer(graphTemplates.list, () => stored);
  gateway.answer(graphTemplates.create, ({ body }) => {
    if (stored.some(({ templateName }) => isSameName(templateName, body.templateName))) throw new Refused("name-taken", templateInUse);
    const created = { ...body, id: `t-${body.templateName}`, createdDateMs: 0 };
    stored = [...stored, created];
    return created;
  });
  gateway.answer(graphTemplates.remove, ({ body }) => {
    stored = stored.filter(({ templateName }) => templateName !== body.templateName);
    return undefined;
  });
}
