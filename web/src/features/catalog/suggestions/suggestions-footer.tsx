import { plural } from "@fairway/contract/counts";
import { useState } from "react";
import { useSuggestions } from "./suggestions-context.tsx";
import classes from "./suggestions.module.css";

/** The number of suggestions of the dataset. Each press shows the next one. */
export function SuggestionsFooter({ onShow }: { onShow: () => void }) {
  const { suggestions, canReview, failed, retry, onJump } = useSuggestions();
  const [last, setLast] = useState<string | null>(null);
  if (failed) {
    return (
      <button type="button" className={classes["footer"]} onClick={retry}>
        Suggestions could not be loaded. Retry
      </button>
    );
  }
  if (suggestions.length === 0) return null;
  const showNext = () => {
    const suggestion = suggestions[(suggestions.findIndex(({ id }) => id === last) + 1) % suggestions.length];
    if (suggestion === undefined) return;
    setLast(suggestion.id);
    onShow();
    onJump({ suggestion });
  };
  return (
    <button type="button" className={classes["footer"]} onClick={showNext}>
      {labelOf(suggestions.length, canReview)}
    </button>
  );
}

export const labelOf = (count: number, canReview: boolean): string =>
  `${count.toLocaleString("en-US")} ${canReview ? "" : "open "}${plural(count, "suggestion")} ${canReview ? "to review" : "of yours"}`;
