import type { StartQuestion } from "@fairway/contract/start-page";
import { newColumn } from "./model/graph-draft.ts";
import { openGraphs } from "./model/open-graphs.ts";

/** Adds the graph of a ready question to an open search: the number of rows by day or hour. */
export function addQuestionGraph(searchId: string, { title, type, by }: NonNullable<StartQuestion["graph"]>): void {
  const definition = { title, type, groupingType: by, groupings: [], columns: [newColumn([])], stacked: false, logAxis: false };
  // The operator has chosen the groups, so there is no warning that they are many.
  openGraphs.save(searchId, definition, { id: null, hasWarned: true });
}
