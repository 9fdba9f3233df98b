import type { PathCount, PathData, mapResults } from "@fairway/contract/map-results";
import type { SearchData } from "@fairway/contract/search";
import type { Handlers, SignedInUser, StreamedAnswer } from "#http/handlers.ts";
import { answerOf } from "./answer.ts";
import type { DatasetPath, SearchParts } from "./service.ts";
import { type MapLimits, requireMap, validateLast, validatePath } from "./validate-map.ts";

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: MapLimits };

export const mapResultRoutes = (parts: Parts): Handlers<typeof mapResults> => ({
  last: ({ user, params, body, signal }) => last(parts, user, params, body, signal),
  path: ({ user, params, body, signal }) => path(parts, user, params, body, signal),
  countPath: ({ user, params, body, signal }) => countPath(parts, user, params, body, signal),
});

async function last(
  { datasets, limits }: Parts,
  user: SignedInUser,
  { category, datasetId }: DatasetPath,
  data: SearchData,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const dataset = await datasets.find(user, category, datasetId);
  const { map, maps } = requireMap(dataset);
  const query = validateLast(dataset, data, limits);
  return answerOf(await maps.latest(dataset.queryable, map, query, { signal, owner: user.id }), true);
}

async function path(
  { datasets, limits }: Parts,
  user: SignedInUser,
  { category, datasetId }: DatasetPath,
  data: PathData,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const dataset = await datasets.find(user, category, datasetId);
  const { map, maps } = requireMap(dataset);
  const { ask, query, paged } = validatePath(dataset, map, data, limits);
  return answerOf(await maps.path(dataset.queryable, ask, query, { signal, owner: user.id }), !paged);
}

async function countPath(
  { datasets, limits }: Parts,
  user: SignedInUser,
  { category, datasetId }: DatasetPath,
  data: PathData,
  signal: AbortSignal,
): Promise<PathCount> {
  const dataset = await datasets.find(user, category, datasetId);
  const { map, maps } = requireMap(dataset);
  const { ask, query } = validatePath(dataset, map, data, limits);
  return { totalResults: await maps.countPath(dataset.queryable, ask, query, { signal, owner: user.id }) };
}
