import { createHash } from "node:crypto";
import { type DatasetThumbnail, maxThumbnailPositions } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { LRUCache } from "lru-cache";
import { cacheSerialized } from "#http/serialized-cache.ts";
import type { FigureView } from "#query/whole-figures.ts";
import type { MeasuredDataset, Picture, ProfileStore } from "./store.ts";

/** Identifies a profile of a dataset, and the part of its picture that a reader may see. */
interface Profiled extends Pick<MeasuredDataset<Picture>, "dataset" | "source" | "measuredMs"> {
  readonly view: FigureView;
}

interface ListedThumbnail extends DatasetThumbnail {
  readonly dataset: DatasetRef;
}

/** The pictures of many datasets. Keeps answers in memory: every first screen shows them, and profiles change once a day. */
export class Thumbnails {
  readonly #store: Pick<ProfileStore, "thumbnails">;
  readonly #answers = new LRUCache<string, ListedThumbnail[]>({ max: 10 });

  constructor(store: Pick<ProfileStore, "thumbnails">) {
    this.#store = store;
  }

  /** Of these profiles, in their order, with a version. Leaves out those that were removed or replaced by one of other data meanwhile. */
  async listFor(profiles: readonly Profiled[]): Promise<{ version: string; thumbnails: ListedThumbnail[] }> {
    const version = versionOf(profiles);
    const thumbnails = this.#answers.get(version) ?? cacheSerialized(await this.#read(profiles));
    this.#answers.set(version, thumbnails);
    return { version, thumbnails };
  }

  async #read(profiles: readonly Profiled[]): Promise<ListedThumbnail[]> {
    const rows = profiles.length === 0 ? [] : await this.#store.thumbnails(profiles.map(({ dataset }) => dataset));
    const byKey = new Map(rows.map((row) => [datasetKey(row.dataset), row]));
    const listed = profiles.flatMap(({ dataset, source, view }) => {
      const row = byKey.get(datasetKey(dataset));
      const picture = row?.source === source ? row.figures.shownTo(view) : null;
      return picture === null || picture === undefined ? [] : [{ dataset, ...smallThumbnail(picture) }];
    });
    return thinned(listed, maxThumbnailPositions);
  }
}

/** As an ETag: equal only for the same profiles of the same datasets, of which the same is shown. */
function versionOf(profiles: readonly Profiled[]): string {
  const hash = createHash("sha256");
  for (const { dataset, source, measuredMs, view } of profiles) {
    const leftOut = [...(view.hasTimes ? [] : ["times"]), ...(view.hasPositions ? [] : ["positions"])];
    hash.update(JSON.stringify([datasetKey(dataset), source, measuredMs, ...leftOut]));
  }
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

function smallThumbnail({ coverage, positions }: Picture) {
  const rounded = positions.map(([lat, lng]): [number, number] => [tenths(lat), tenths(lng)]);
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
