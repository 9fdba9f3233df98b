import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { call } from "#lib/call.ts";

interface Params {
  readonly category: string;
  readonly datasetId: string;
}

export const readAllFacts = (signal: AbortSignal) => call(datasetFactRoutes.facts, { query: {} }, { signal });

/** Null if the user may not reach the dataset. */
export async function readFacts({ category, datasetId }: Params, signal: AbortSignal) {
  const [facts = null] = await call(datasetFactRoutes.facts, { query: { datasetCategory: category, datasetId } }, { signal });
  return facts;
}

export const readRelations = (params: Params, signal: AbortSignal) => call(datasetFactRoutes.relations, { params }, { signal });
