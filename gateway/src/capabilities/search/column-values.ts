import type { ColumnProfile, Suggestions, columnValues, suggestionRequest } from "@fairway/contract/column-values";
import type { Limits } from "@fairway/contract/limits";
import type { SearchData } from "@fairway/contract/search";
import type { z } from "zod";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { SearchParts } from "./service.ts";
import { validateSearch, validateSuggestion } from "./validate.ts";
import { requireColumn } from "./validate-filters.ts";

type Parts = SearchParts & { readonly limits: Pick<Limits, "suggestionTimeoutMs" | "suggestionRows"> };

export const columnValueRoutes = (parts: Parts): Handlers<typeof columnValues> => ({
  suggest: ({ user, params: { category, datasetId, column }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) =>
      suggest(dataset.deriving(body.search ?? {}, "search"), parts.limits, user, column, body, signal),
    ),
  profile: ({ user, params: { category, datasetId, column }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => profile(dataset.deriving(body), parts.limits, user, column, body, signal)),
});

/**
 * Counts the values over all rows; if that fails or takes too long, over the first rows, which `complete` then says. Returns no
 * suggestions if the engine is busy or the first rows take too long as well: nobody asked for them explicitly.
 */
async function suggest(
  dataset: SearchableDataset,
  limits: Parts["limits"],
  user: SignedInUser,
  column: string,
  request: z.infer<typeof suggestionRequest>,
  signal: AbortSignal,
): Promise<Suggestions> {
  const { search } = request;
  if (search !== undefined && (request.timeRange ?? request.geospatial ?? request.filters) !== undefined) {
    throw new Refusal("invalid-request", "'search' holds the time range, the area and the filters: send only one of them.", {
      path: "search",
    });
  }
  const query = validateSuggestion(dataset, column, search ?? request, limits);
  const { engine, queryable } = dataset;
  const within = async (rows: number | null): Promise<Suggestions | "too-slow" | "refused"> => {
    if (engine.suggest === undefined) throw new Refusal("not-supported", "Values of this dataset are not suggested.");
    const timeout = AbortSignal.timeout(limits.suggestionTimeoutMs);
    const call = { signal: AbortSignal.any([signal, timeout]), owner: user.id, user: user.username };
    try {
      return await engine.suggest(queryable, { column, contains: request.contains, rows }, query, call);
    } catch (error) {
      if (!(error instanceof EngineFailed) || signal.aborted) throw error;
      if (timeout.aborted || tooMuchWork.has(error.reason)) return "too-slow";
      if (error.reason === "busy" || error.reason === "too-many") return "refused";
      throw error;
    }
  };
  const exact = await within(null);
  const found = exact === "too-slow" ? await within(limits.suggestionRows) : exact;
  if (typeof found === "string") return { values: [], complete: false };
  // Older callers get the counts of the part.
  const areCounted = found.complete || search === undefined;
  return areCounted ? found : { values: [], complete: false, sampled: found.values.map(({ value }) => value) };
}

/** Why values of all rows could not be counted, while those of fewer rows may be. */
const tooMuchWork: ReadonlySet<EngineFailed["reason"]> = new Set(["timed-out", "too-much", "out-of-memory"]);

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
