import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { queryClient } from "#lib/gateway/query-client.ts";
import { thumbnailQuery, thumbnailsQuery } from "#parts/dataset-profile/thumbnail-queries.ts";

/** In degrees. Beyond the antimeridian, `east` goes on above 180 or `west` below -180. */
export type Bounds = [west: number, south: number, east: number, north: number];

type Position = readonly [lat: number, lng: number];

/** Positions within the extent: some of most data is wrong or far away. */
const share = 0.98;
/** Data that spans more degrees of longitude is all over the world. */
const maxSpan = 300;

/** The smallest extent with the middle 98% of the positions, also over the antimeridian; null without positions, or all over the world. */
export function extentOf(positions: readonly Position[]): Bounds | null {
  if (positions.length === 0) return null;
  const kept = Math.ceil(positions.length * share);
  const lats = positions.map(([lat]) => lat).toSorted((a, b) => a - b);
  const lngs = positions.map(([, lng]) => lng).toSorted((a, b) => a - b);
  const [south, north] = shortest(lats, kept);
  // Once around the world, from each of them.
  const [west, east] = shortest([...lngs, ...lngs.slice(0, kept - 1).map((lng) => lng + 360)], kept);
  if (east - west > maxSpan) return null;
  const shift = west + east > 360 ? -360 : 0;
  return [west + shift, south, east + shift, north];
}

/** The ends of the shortest interval that contains this many of the ascending values. */
function shortest(values: readonly number[], count: number): [number, number] {
  let best: [number, number] = [values[0] ?? 0, values[count - 1] ?? 0];
  for (let first = 1; first + count <= values.length; first += 1) {
    const [from = 0, to = 0] = [values[first], values[first + count - 1]];
    if (to - from < best[1] - best[0]) best = [from, to];
  }
  return best;
}

/** The extent of the data by the positions of its pictures, which screens may have loaded already. */
export async function loadExtent(datasets: readonly DatasetRef[]): Promise<Bounds | null> {
  return extentOf((await Promise.all(datasets.map(positionsOf))).flat());
}

async function positionsOf(dataset: DatasetRef): Promise<readonly Position[]> {
  const listed = queryClient.getQueryData(thumbnailsQuery.queryKey)?.byKey.get(datasetKey(dataset));
  return (listed ?? (await queryClient.fetchQuery(thumbnailQuery(dataset.datasetCategory, dataset.datasetId)))).positions;
}
