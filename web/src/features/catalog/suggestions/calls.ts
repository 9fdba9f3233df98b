import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { call } from "#lib/call.ts";

interface Params {
  readonly category: string;
  readonly datasetId: string;
}

export const readSuggestions = (params: Params, signal: AbortSignal) => call(descriptionSuggestions.list, { params }, { signal });
export const readSuggestionCounts = (signal: AbortSignal) => call(descriptionSuggestions.counts, {}, { signal });
