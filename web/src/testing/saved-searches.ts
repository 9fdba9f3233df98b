import { graphTemplates } from "@fairway/contract/graph-templates";
import { type SavedSearch, savedSearches, type SharedSearch } from "@fairway/contract/saved-searches";
import { Refused } from "./contract-gateway.ts";
import { storms } from "./datasets-screen.ts";
import { gateway } from "./open-screen.tsx";

const [datasetCategory, datasetId] = storms;
const nameInUse = "A saved search with this name already exists for this dataset.";
const templateInUse = "A graph template with this name already exists for this dataset.";
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

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
  createdDateMs: 0,
  ...overrides,
});

/** Lets the gateway keep the saved searches of the user, at first these, and answer what others share. */
export function serveSavedSearches(saved: readonly SavedSearch[] = [], shared: readonly SharedSearch[] = []): void {
  let kept = [...saved];
  gateway.answer(savedSearches.list, () => kept);
  gateway.answer(savedSearches.shared, [...shared]);
  gateway.answer(savedSearches.create, ({ body }) => {
    if (kept.some(({ queryName }) => isSame(queryName, body.queryName))) throw new Refused("name-taken", nameInUse);
    const { query = "", queryName, ...rest } = body;
    const made = buildSavedSearch(queryName, query, rest);
    kept = [...kept, made];
    return made;
  });
  gateway.answer(savedSearches.edit, ({ params, body }) => {
    const found = kept.find(({ id }) => id === params.id);
    if (!found) throw new Refused("not-found", "There is no such saved search.");
    if (kept.some((one) => one !== found && isSame(one.queryName, body.queryName))) throw new Refused("name-taken", nameInUse);
    const edited = { ...found, ...body, queryJson: body.query ?? found.query };
    kept = kept.map((one) => (one === found ? edited : one));
    return edited;
  });
  gateway.answer(savedSearches.remove, ({ body }) => {
    kept = kept.filter(({ queryName }) => queryName !== body.queryName);
    return undefined;
  });
}

/** Lets the gateway keep the graph templates of the user. */
export function serveGraphTemplates(): void {
  let kept: Awaited<ReturnType<typeof graphTemplates.list.response.parse>> = [];
  gateway.answer(graphTemplates.list, () => kept);
  gateway.answer(graphTemplates.create, ({ body }) => {
    if (kept.some(({ templateName }) => isSame(templateName, body.templateName))) throw new Refused("name-taken", templateInUse);
    const made = { ...body, id: `t-${body.templateName}`, createdDateMs: 0 };
    kept = [...kept, made];
    return made;
  });
  gateway.answer(graphTemplates.remove, ({ body }) => {
    kept = kept.filter(({ templateName }) => templateName !== body.templateName);
    return undefined;
  });
}
