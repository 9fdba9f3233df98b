import { passesRole } from "@fairway/contract/access";
import type { DatasetRef, DatasetSchema } from "@fairway/contract/datasets";
import type { DescriptionSuggestion } from "@fairway/contract/description-suggestions";
import { schemaEditRole } from "@fairway/contract/descriptions";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { suggestionsQuery } from "./queries.ts";

/** A request to show a suggestion. */
interface Jump {
  suggestion: DescriptionSuggestion;
}

interface SuggestionsState {
  dataset: DatasetRef;
  /** In the order in which the page shows them: of the dataset, then of its columns. */
  suggestions: readonly DescriptionSuggestion[];
  canReview: boolean;
  failed: boolean;
  retry: () => void;
  /** Null once it is shown. */
  jump: Jump | null;
  onJump: (jump: Jump | null) => void;
}

const SuggestionsContext = createContext<SuggestionsState | null>(null);

const none: readonly DescriptionSuggestion[] = [];

/** The open suggestions of a dataset, for everything in it. They load after the schema. */
export function SuggestionsProvider({ schema, children }: { schema: DatasetSchema; children: ReactNode }) {
  const { data, isError, refetch } = useQuery(suggestionsQuery(schema.dataset));
  const { roles } = useCurrentUser();
  const canReview = passesRole(roles, schemaEditRole);
  const [jump, onJump] = useState<Jump | null>(null);
  const suggestions = useMemo(() => (data ? inOrder(data, schema) : none), [data, schema]);
  const { dataset } = schema;
  const value = useMemo(
    () => ({ dataset, suggestions, canReview, failed: isError, retry: () => void refetch(), jump, onJump }),
    [dataset, suggestions, canReview, isError, refetch, jump],
  );
  return <SuggestionsContext value={value}>{children}</SuggestionsContext>;
}

function inOrder(suggestions: readonly DescriptionSuggestion[], { columns }: DatasetSchema): DescriptionSuggestion[] {
  const indexes = new Map<string | null, number>(columns.map(({ name }, index) => [name, index]));
  const indexOf = ({ columnName }: DescriptionSuggestion) => indexes.get(columnName) ?? -1;
  return suggestions.toSorted((one, other) => indexOf(one) - indexOf(other));
}

export function useSuggestions(): SuggestionsState {
  const state = useContext(SuggestionsContext);
  if (state === null) throw new Error("there is no SuggestionsProvider around this part");
  return state;
}
