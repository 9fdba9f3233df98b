import { datasetQualities } from "@fairway/contract/dataset-quality";
import { call } from "#lib/call.ts";

interface Params {
  readonly category: string;
  readonly datasetId: string;
}

export const readQualities = (signal: AbortSignal) => call(datasetQualities.list, {}, { signal });
export const readQuality = (params: Params, signal: AbortSignal) => call(datasetQualities.read, { params }, { signal });
/** For administrators. */
export const readAllQualities = (signal: AbortSignal) => call(datasetQualities.listAll, {}, { signal });
