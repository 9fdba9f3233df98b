import { createHash } from "node:crypto";
import { type DatasetThumbnail, maxThumbnailPositions } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { LRUCache } from "lru-cache";
import type { ProfileFigures, ProfileStore } from "./store.ts";

/** Identifies a profile of a dataset. */
type Profiled = Pick<ProfileFigures, "dataset" | "source" | "measuredMs">;

interface Picture extends Pick<Profiled, "source" | "measuredMs"> {
  readonly thumbnail: DatasetThumbnail;
}

export interface ListedThumbnail extends DatasetThumbnail {
  readonly dataset: DatasetRef;
}

/** The pictures of many datasets. Keeps them in memory, because every first screen shows them and they change once a day. */
export class Thumbnails {
  readonly #store: Pick<ProfileStore, "thumbnails">;
  readonly #pictures = new LRUCache<string, Picture>({ max: 1_000 });

  constructor(store: Pick<ProfileStore, "thumbnails">) {
    this.#store = store;
  }

  /** Of these profiles, in their order. Leaves out those that were removed or replaced by one of other data meanwhile. */
  async of(profiles: readonly Profiled[]): Promise<ListedThumbnail[]> {
    const pictures = new Map<string, Picture>();
    for (const { dataset, source, measuredMs } of profiles) {
      const known = this.#pictures.get(datasetKey(dataset));
      if (known?.source === source && known.measuredMs === measuredMs) pictures.set(datasetKey(dataset), known);
    }
    const missing = profiles.map(({ dataset }) => dataset).filter((dataset) => !pictures.has(datasetKey(dataset)));
    for (const row of missing.length === 0 ? [] : await this.#store.thumbnails(missing)) {
      const key = datasetKey({ datasetCategory: row.category, datasetId: row.dataset_id });
      const picture = { source: row.source ?? "", measuredMs: row.measured_at?.getTime() ?? 0, thumbnail: smallThumbnail(row) };
      pictures.set(key, picture);
      this.#pictures.set(key, picture);
    }
    const listed = profiles.flatMap(({ dataset, source }) => {
      const picture = pictures.get(datasetKey(dataset));
      return picture?.source === source ? [{ dataset, ...picture.thumbnail }] : [];
    });
    return thinned(listed, maxThumbnailPositions);
  }
}

/** The version of an answer, as an ETag: equal only for the same profiles of the same datasets. */
export function thumbnailsVersion(profiles: readonly Profiled[]): string {
  const hash = createHash("sha256");
  for (const { dataset, source, measuredMs } of profiles) hash.update(JSON.stringify([datasetKey(dataset), source, measuredMs]));
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

function smallThumbnail({
  coverage,
  positions,
}: {
  coverage: DatasetThumbnail["coverage"];
  positions: DatasetThumbnail["positions"] | null;
}) {
  const rounded = (positions ?? []).map(([lat, lng]): [number, number] => [tenths(lat), tenths(lng)]);
  const unique = [...new Map(rounded.map((position) => [position.join(), position])).values()];
  return { coverage: unique.length > 0 ? null : coverage, positions: unique };
}

const tenths = (degrees: number): number => Math.round(degrees * 10) / 10;

/** With at most `max` positions in all: an equal share for each that has any. */
export function thinned<T extends Pick<DatasetThumbnail, "positions">>(thumbnails: readonly T[], max: number): T[] {
  const share = Math.floor(max / Math.max(1, thumbnails.filter(({ positions }) => positions.length > 0).length));
  return thumbnails.map((one) => {
    const { positions } = one;
    if (positions.length <= share) return one;
    return {
      ...one,
      positions: positions.filter(
        (_, index) => Math.floor((index * share) / positions.length) !== Math.floor(((index - 1) * share) / positions.length),
      ),
    };
  });
}
