import { type DatasetThumbnail, datasetProfiles, maxThumbnails } from "@fairway/contract/dataset-profiles";
import { datasetKey } from "@fairway/contract/datasets";
import { call } from "#lib/call.ts";

interface Params {
  readonly category: string;
  readonly datasetId: string;
}

export const readProfile = (params: Params, signal: AbortSignal) => call(datasetProfiles.read, { params }, { signal });
export const readThumbnail = (params: Params, signal: AbortSignal) => call(datasetProfiles.thumbnail, { params }, { signal });

/** Pictures of many datasets in one answer. */
export interface Thumbnails {
  /** By `datasetKey`. */
  readonly byKey: ReadonlyMap<string, DatasetThumbnail>;
  /** Whether each dataset without one has no profile. Otherwise there were more than one answer holds. */
  readonly areAll: boolean;
}

export async function readThumbnails(signal: AbortSignal): Promise<Thumbnails> {
  const listed = await call(datasetProfiles.thumbnails, {}, { signal });
  return {
    byKey: new Map(listed.map(({ dataset, ...thumbnail }) => [datasetKey(dataset), thumbnail])),
    areAll: listed.length < maxThumbnails,
  };
}
