/** What graphs have on its way, by search and graph: each has one run at most. */
const runs = new Map<string, Map<string, AbortController>>();

/** A run in the place of the one that was. */
export function beginGraphRun(searchId: string, graphId: string): AbortController {
  dropGraphRun(searchId, graphId);
  const controller = new AbortController();
  const ofSearch = runs.get(searchId) ?? new Map<string, AbortController>();
  ofSearch.set(graphId, controller);
  runs.set(searchId, ofSearch);
  return controller;
}

export const isCurrentGraphRun = (searchId: string, graphId: string, run: AbortController): boolean =>
  runs.get(searchId)?.get(graphId) === run;

/** Stops what is on its way for a graph, silently. */
export function dropGraphRun(searchId: string, graphId: string): void {
  runs.get(searchId)?.get(graphId)?.abort();
  runs.get(searchId)?.delete(graphId);
}

/** The same for every graph of a search. */
export function dropGraphRuns(searchId: string): void {
  for (const run of runs.get(searchId)?.values() ?? []) run.abort();
  runs.delete(searchId);
}
