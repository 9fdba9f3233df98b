import { queryClient } from "#lib/gateway/query-client.ts";
import { suggestionsQuery } from "./suggestions-query.ts";
import type { SuggestionSource } from "./suggestion-source.ts";

/** Whether rows have exactly this value. False if that cannot be found out. */
export async function occurs(source: SuggestionSource, column: string, value: string): Promise<boolean> {
  try {
    const { values } = await queryClient.fetchQuery(suggestionsQuery(wholeDataset(source), column, value));
    return values.some((one) => one.value === value);
  } catch {
    // Without suggestions, quotes say that a text is one value.
    return false;
  }
}

/** The same without asking: whether the value has been suggested. */
export const isKnownToOccur = (source: SuggestionSource, column: string, value: string): boolean =>
  queryClient.getQueryData(suggestionsQuery(wholeDataset(source), column, value).queryKey)?.values.some((one) => one.value === value) ===
  true;

/** A text is one value wherever it occurs, also if the other filters keep its rows out. */
const wholeDataset = ({ description, filters }: SuggestionSource): SuggestionSource => ({
  description,
  filters: { ...filters, geospatial: null, dynamic: [] },
});
