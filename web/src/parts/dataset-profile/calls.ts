import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { call } from "#lib/call.ts";

interface Params {
  readonly category: string;
  readonly datasetId: string;
}

export const readProfile = (params: Params, signal: AbortSignal) => call(datasetProfiles.read, { params }, { signal });
export const readThumbnail = (params: Params, signal: AbortSignal) => call(datasetProfiles.thumbnail, { params }, { signal });
