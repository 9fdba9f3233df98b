import type { StartQuestion } from "@fairway/contract/start-page";
import type { ViewMode } from "@fairway/contract/search-address";
import { addQuestionGraph } from "#features/search/graphs/question-graph.ts";
import { describeSearch } from "#parts/open-searches/describe-search.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { definitionOf, parseSearchAddress } from "#parts/search-model/search-address.ts";

/** Runs the search of a question, with its graph if it has one, in its own view or the given one, and returns its id. */
export async function startQuestion(question: StartQuestion, view?: ViewMode): Promise<string> {
  const { dataset, graph } = question;
  const addressed = parseSearchAddress("", question.search);
  if (!addressed) throw new Error("This question's address doesn't work in this version of the portal. Tell your administrator.");
  const description = await describeSearch(dataset.datasetCategory, dataset.datasetId, addressed.added);
  const { filters, isSample, sort, visibleColumns, viewMode, added, slices } = definitionOf(addressed, description, Date.now());
  const id = openSearches.start(description, filters, { isSample, sort, visibleColumns, viewMode: view ?? viewMode, added, slices });
  if (graph) addQuestionGraph(id, graph);
  return id;
}
