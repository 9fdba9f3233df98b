import SuggestionCards from "./suggestion-cards.tsx";
import { useSuggestions } from "./suggestions-context.tsx";

/** The suggestions for a column, or for the dataset itself, below its community description. */
export function Suggestions({ columnName, stored }: { columnName: string | null; stored: string }) {
  const { suggestions } = useSuggestions();
  const shown = suggestions.filter((one) => one.columnName === columnName);
  return shown.length > 0 && <SuggestionCards suggestions={shown} stored={stored} />;
}
