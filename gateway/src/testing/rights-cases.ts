import type { DatasetRef } from "@fairway/contract/datasets";
import type { RouteShape } from "@fairway/contract/route";
import { z } from "zod";

/** A dataset, and the portal's id of it if it is an own one. */
export interface NamedDataset extends DatasetRef {
  readonly id: string;
}

/** How a route that names a dataset is called, and who gets something of it. */
export interface RightsCase {
  /** `settings`: those of the own dataset. */
  readonly body?: (dataset: NamedDataset, settings: object) => unknown;
  readonly query?: (dataset: NamedDataset) => string;
  /** Of the call, if the route's own path does not name the dataset. */
  readonly path?: string;
  /** The right with which a reader gets another answer than for a dataset that does not exist; `nobody` if all get that one. */
  readonly needs: "view" | "edit" | "own" | "administrator" | "nobody";
  /** Whether administrators get something of it besides. */
  readonly administrators?: true;
}

const query = { filters: [] };
const breakdown = { search: query, measures: [{ aggregation: "count", column: "*" }] };
const ofName = { filters: [{ name: "name", operator: "=", value: "a" }] };
const ref = ({ datasetCategory, datasetId }: NamedDataset): DatasetRef => ({ datasetCategory, datasetId });
const panelOf = (dataset: NamedDataset) => ({
  kind: "number",
  title: "",
  dataset: ref(dataset),
  query,
  value: { aggregation: "count", column: "*" },
});
const boardOf = (dataset: NamedDataset) => ({
  name: `Board of ${dataset.datasetId}`,
  description: "",
  content: { panels: [{ ...panelOf(dataset), id: "a", place: { x: 0, y: 0, w: 6, h: 4 } }] },
});
const view = (body?: unknown): RightsCase => ({ needs: "view", ...(body === undefined ? {} : { body: () => body }) });
const withRef = (more: object = {}) => ({ needs: "view" as const, body: (dataset: NamedDataset) => ({ ...ref(dataset), ...more }) });
const own: RightsCase = { needs: "own" };
const nobody = (body?: (dataset: NamedDataset) => unknown): RightsCase => ({ needs: "nobody", ...(body === undefined ? {} : { body }) });
const descriptions = { description: "Words.", columnDescriptions: [] };
const at = "/datasets/:category/:datasetId";

/** By method and path, and a word for a further case of the same route. A route that names a dataset and is not here fails the walk. Calls that remove something come last. */
export const rightsCases: Readonly<Record<string, RightsCase>> = {
  [`GET ${at}/describe`]: view(),
  [`GET ${at}/schema`]: view(),
  [`GET ${at}/sample`]: view(),
  [`GET ${at}/relations`]: view(),
  [`GET ${at}/quality`]: nobody(),
  [`GET ${at}/profile`]: view(),
  [`GET ${at}/profile/thumbnail`]: nobody(),
  [`GET ${at}/descriptions.csv`]: view(),
  [`GET ${at}/description/community`]: view(),
  [`GET ${at}/description/community/revisions`]: view(),
  [`GET ${at}/description/suggestions`]: view(),
  [`GET ${at}/description/user`]: view(),
  [`PUT ${at}/description/user`]: view(descriptions),
  [`PUT ${at}/description/suggestions`]: view({ columnName: null, description: "Better words." }),
  [`PUT ${at}/description/community`]: view(descriptions),
  [`PUT ${at}/description/suggestions/:id/decision`]: view({ decision: "decline", description: "", replaces: "" }),
  [`DELETE ${at}/description/suggestions/:id`]: view(),
  [`POST ${at}/search`]: view(query),
  [`POST ${at}/search lookup`]: {
    needs: "nobody",
    path: "/datasets/nature/storms/search",
    body: (dataset) => ({
      ...query,
      lookups: [
        { id: "l", dataset: ref(dataset), match: "exact", key: [{ column: "id", on: "none" }], columns: [{ from: "none", name: "l" }] },
      ],
    }),
  },
  [`GET ${at}/lookupTargets`]: view(),
  [`POST ${at}/lookupReport`]: view({ dataset: { datasetCategory: "nature", datasetId: "storms" } }),
  [`POST ${at}/lookupReport other`]: {
    needs: "view",
    path: "/datasets/nature/storms/lookupReport",
    body: (dataset) => ({ dataset: ref(dataset) }),
  },
  [`POST ${at}/search/last`]: view(query),
  [`POST ${at}/search/path`]: view(ofName),
  [`POST ${at}/search/tracks`]: view(query),
  [`POST ${at}/count/path`]: view(ofName),
  [`POST ${at}/grid`]: view({ ...query, level: 2 }),
  [`POST ${at}/rowCount`]: view(query),
  [`POST ${at}/aggregate`]: view({ search: query, aggregations: [{ aggregation: "count", column: "*" }], groups: [{ id: "all" }] }),
  [`POST ${at}/aggregate/:aggregationType/:column`]: view(query),
  [`POST ${at}/columns/:column/suggest`]: view({ contains: "" }),
  [`POST ${at}/columns/:column/profile`]: view(query),
  [`POST ${at}/distribution/time`]: view(query),
  [`POST ${at}/distribution/columns`]: view({ ...query, columns: ["name"] }),
  [`POST ${at}/breakdown`]: view(breakdown),
  // For the role admin, whose holders are readers like all others.
  [`POST ${at}/breakdown/explain`]: { needs: "administrator", body: () => breakdown },
  [`POST ${at}/breakdown/export`]: view({ format: "csv", breakdown }),
  [`POST ${at}/export`]: view({ format: "csv", search: query }),
  "GET /datasets/facts": {
    needs: "nobody",
    query: ({ datasetCategory, datasetId }) => `?category=${datasetCategory}&datasetId=${datasetId}`,
  },
  "POST /favorite/datasets": withRef(),
  "POST /favorite/queries": withRef({ queryName: "Mine", query: JSON.stringify(query) }),
  "POST /favorite/graphTemplates": withRef({ templateName: "Mine", templateJson: "{}" }),
  "POST /datasetGroupings": { needs: "view", body: (dataset) => ({ name: `Group of ${dataset.datasetId}`, datasets: [ref(dataset)] }) },
  "PUT /datasetGroupings": nobody((dataset) => ({ name: "No such group", datasets: [ref(dataset)] })),
  "POST /boards": { needs: "view", body: boardOf },
  "PUT /boards/:id": nobody((dataset) => ({ ...boardOf(dataset), version: 1 })),
  "POST /boards/:id/panels": nobody((dataset) => ({ panel: panelOf(dataset) })),
  "POST /apiKeys": { needs: "view", body: (dataset) => ({ name: `Key of ${dataset.datasetId}`, datasets: [ref(dataset)] }) },
  "PUT /apiKeys": nobody((dataset) => ({ name: "No such key", datasets: [ref(dataset)] })),
  "PUT /admin/datasetAnnouncements/:category/:datasetId": nobody(() => ({ kind: "note", text: "Closed." })),
  "DELETE /admin/datasetAnnouncements/:category/:datasetId": nobody(),
  "PUT /admin/datasets/internal/:id/description": nobody((dataset) => ({ ...descriptions, datasetId: dataset.datasetId })),
  "GET /ownDatasets/:id": { needs: "edit" },
  "PUT /ownDatasets/:id": { needs: "edit", body: (_, settings) => ({ version: 0, settings }) },
  "GET /ownDatasets/:id/files": { needs: "edit" },
  "GET /ownDatasets/:id/files/:n": { needs: "edit" },
  "GET /ownDatasets/:id/versions": { needs: "edit" },
  "POST /ownDatasets/:id/versions/:n/restore": { needs: "edit" },
  "GET /ownDatasets/:id/dependents": own,
  "PUT /ownDatasets/:id/shares": { needs: "own", body: () => ({ shares: [{ to: { kind: "user", id: "nobody" }, can: "view" }] }) },
  "PUT /ownDatasets/:id/owner": { needs: "own", administrators: true, body: () => ({ userId: "nobody" }) },
  "POST /ownDatasets/:id/restore": own,
  "PUT /admin/ownDatasets/:id/enabled": { needs: "administrator", administrators: true, body: () => ({ enabled: true }) },
  "POST /imports": nobody((dataset) => ({ files: [{ file: "a.csv", size: 1 }], into: { ...ref(dataset), mode: "append" } })),
  "POST /imports read-again": { needs: "edit", body: (dataset) => ({ into: { ...ref(dataset), mode: "read-again" } }) },
  "DELETE /favorite/queries": withRef({ queryName: "Mine" }),
  "DELETE /favorite/graphTemplates": withRef({ templateName: "Mine" }),
  "DELETE /favorite/datasets": nobody(ref),
  "DELETE /ownDatasets/:id/shares/mine": { needs: "view" },
  "DELETE /ownDatasets/:id": own,
  "POST /admin/ownDatasets/:id/delete": { needs: "administrator", administrators: true, body: () => ({ reason: "Not wanted." }) },
};

/** Whether a route names a dataset in its path, its query or its body. */
export function namesDataset({ path, query: asked, body }: RouteShape): boolean {
  const schemas = [asked, body].filter((schema) => schema !== undefined);
  return (
    /\/:datasetId|\/ownDatasets\/:id/.test(path) ||
    schemas.some((schema) => JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })).includes('"datasetId"'))
  );
}
