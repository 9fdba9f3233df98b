import type { ColumnProfile, Suggestions, columnValues, suggestionAsk } from "@fairway/contract/column-values";
import type { Limits } from "@fairway/contract/limits";
import type { SearchData } from "@fairway/contract/search";
import type { z } from "zod";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { SearchParts } from "./service.ts";
import { validateSearch, validateSuggestion } from "./validate.ts";
import { requireColumn } from "./validate-filters.ts";

type Parts = SearchParts & { readonly limits: Pick<Limits, "suggestionTimeoutMs" | "suggestionRows"> };

export const columnValueRoutes = (parts: Parts): Handlers<typeof columnValues> => ({
  suggest: ({ user, params: { category, datasetId, column }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => suggest(dataset, parts.limits, user, column, body, signal)),
  profile: ({ user, params: { category, datasetId, column }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => profile(dataset, parts.limits, user, column, body, signal)),
});

/** Never in the way: what takes too long, in the engine or waiting for it, suggests nothing. */
async function suggest(
  dataset: SearchableDataset,
  limits: Parts["limits"],
  user: SignedInUser,
  column: string,
  ask: z.infer<typeof suggestionAsk>,
  signal: AbortSignal,
): Promise<Suggestions> {
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
  dataset: SearchableDataset,
  limits: Parts["limits"],
  user: SignedInUser,
  column: string,
  data: SearchData,
  signal: AbortSignal,
): Promise<ColumnProfile> {
  if (dataset.engine.profile === undefined) throw new Refusal("not-supported", "The columns of this dataset have no profile.");
  requireColumn(dataset, column);
  const { query } = validateSearch(dataset, data, limits);
  return dataset.engine.profile(dataset.queryable, column, query, { signal, owner: user.id });
}
