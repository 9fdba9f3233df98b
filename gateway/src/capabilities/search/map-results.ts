import type { PathCount, PathData, TracksData, mapResults } from "@fairway/contract/map-results";
import type { SearchData } from "@fairway/contract/search";
import type { Handlers, StreamedAnswer } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { streamRows } from "./row-response.ts";
import type { SearchParts } from "./service.ts";
import { type MapLimits, requireMap, validateLast, validatePath, validateTracks } from "./validate-map.ts";

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: MapLimits };

export const mapResultRoutes = (parts: Parts): Handlers<typeof mapResults> => ({
  last: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => last(dataset.deriving(body), parts.limits, user, body, signal)),
  path: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => path(dataset.deriving(body), parts.limits, user, body, signal)),
  tracks: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => tracks(dataset.deriving(body), parts.limits, user, body, signal)),
  countPath: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => countPath(dataset.deriving(body), parts.limits, user, body, signal)),
});

async function last(
  dataset: SearchableDataset,
  limits: MapLimits,
  user: SignedInUser,
  data: SearchData,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const { map, maps } = requireMap(dataset);
  const query = validateLast(dataset, data, limits);
  return streamRows(dataset, await maps.latest(dataset.queryable, map, query, { signal, owner: user.id, user: user.username }), true);
}

async function path(
  dataset: SearchableDataset,
  limits: MapLimits,
  user: SignedInUser,
  data: PathData,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const { map, maps } = requireMap(dataset);
  const { path: pathQuery, query, paged } = validatePath(dataset, map, data, limits);
  return streamRows(dataset, await maps.path(dataset.queryable, pathQuery, query, { signal, owner: user.id, user: user.username }), !paged);
}

async function tracks(
  dataset: SearchableDataset,
  limits: MapLimits,
  user: SignedInUser,
  data: TracksData,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const { map, maps } = requireMap(dataset);
  const { tracks: request, query } = validateTracks(dataset, map, data, limits);
  return streamRows(dataset, await maps.tracks(dataset.queryable, request, query, { signal, owner: user.id, user: user.username }), true);
}

async function countPath(
  dataset: SearchableDataset,
  limits: MapLimits,
  user: SignedInUser,
  data: PathData,
  signal: AbortSignal,
): Promise<PathCount> {
  const { map, maps } = requireMap(dataset);
  const { path: pathQuery, query } = validatePath(dataset, map, data, limits);
  return { totalResults: await maps.countPath(dataset.queryable, pathQuery, query, { signal, owner: user.id, user: user.username }) };
}
