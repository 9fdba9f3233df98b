import type { ColumnProfile, Suggestions, columnValues, suggestionRequest } from "@fairway/contract/column-values";
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

/** Returns no suggestions if the engine is busy or too slow. */
async function suggest(
  dataset: SearchableDataset,
  limits: Parts["limits"],
  user: SignedInUser,
  column: string,
  request: z.infer<typeof suggestionRequest>,
  signal: AbortSignal,
): Promise<Suggestions> {
  const query = validateSuggestion(dataset, column, request);
  if (dataset.engine.suggest === undefined) throw new Refusal("not-supported", "Values of this dataset are not suggested.");
  const timeout = AbortSignal.timeout(limits.suggestionTimeoutMs);
  try {
    const call = { signal: AbortSignal.any([signal, timeout]), owner: user.id, user: user.username };
    return await dataset.engine.suggest(
      dataset.queryable,
      { column, contains: request.contains, rows: limits.suggestionRows },
      query,
      call,
    );
  } catch (error) {
    const isTimedOut = timeout.aborted && !signal.aborted;
    if (error instanceof EngineFailed && (isTimedOut || error.reason === "busy" || error.reason === "too-many"))
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
  return dataset.engine.profile(dataset.queryable, column, query, { signal, owner: user.id, user: user.username });
}
