import type { ColumnProfile, Suggestions, columnValues, suggestionAsk } from "@fairway/contract/column-values";
import type { Limits } from "@fairway/contract/limits";
import type { SearchData } from "@fairway/contract/search";
import type { z } from "zod";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed } from "#query/engine.ts";
import type { SearchParts } from "./service.ts";
import { validateSearch, validateSuggestion } from "./validate.ts";
import { requireColumn } from "./validate-filters.ts";

type Parts = SearchParts & { readonly limits: Pick<Limits, "suggestionTimeoutMs" | "suggestionRows"> };
type ColumnPath = { readonly category: string; readonly datasetId: string; readonly column: string };

export const columnValueRoutes = (parts: Parts): Handlers<typeof columnValues> => ({
  suggest: ({ user, params, body, signal }) => suggest(parts, user, params, body, signal),
  profile: ({ user, params, body, signal }) => profile(parts, user, params, body, signal),
});

/** Never in the way: what takes too long, in the engine or waiting for it, suggests nothing. */
async function suggest(
  { datasets, limits }: Parts,
  user: SignedInUser,
  { category, datasetId, column }: ColumnPath,
  ask: z.infer<typeof suggestionAsk>,
  signal: AbortSignal,
): Promise<Suggestions> {
  const dataset = await datasets.find(user, category, datasetId);
  const query = validateSuggestion(dataset, column, ask);
  if (dataset.engine.suggest === undefined) throw new Refusal("not-supported", "Values of this dataset are not suggested.");
  const patience = AbortSignal.timeout(limits.suggestionTimeoutMs);
  try {
    const call = { signal: AbortSignal.any([signal, patience]), owner: user.id };
    return await dataset.engine.suggest(dataset.queryable, { column, contains: ask.contains, rows: limits.suggestionRows }, query, call);
  } catch (error) {
    const late = patience.aborted && !signal.aborted;
    if (error instanceof EngineFailed && (late || error.reason === "busy" || error.reason === "too-many"))
      return { values: [], complete: false };
    throw error;
  }
}

async function profile(
  { datasets, limits }: Parts,
  user: SignedInUser,
  { category, datasetId, column }: ColumnPath,
  data: SearchData,
  signal: AbortSignal,
): Promise<ColumnProfile> {
  const dataset = await datasets.find(user, category, datasetId);
  if (dataset.engine.profile === undefined) throw new Refusal("not-supported", "The columns of this dataset have no profile.");
  requireColumn(dataset, column);
  const { query } = validateSearch(dataset, data, limits);
  return dataset.engine.profile(dataset.queryable, column, query, { signal, owner: user.id });
}
