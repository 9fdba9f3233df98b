import { startTransition, useCallback, useEffect, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import type { ComparisonRequest } from "./compare-texts.ts";
import { type ComparedTexts, startComparison } from "./run-comparison.ts";

interface ComparisonState {
  /** Of these texts, with earlier options while it is compared anew. Null before the first one. */
  compared: ComparedTexts | null;
  isRunning: boolean;
  hasFailed: boolean;
  retry: () => void;
}

/**
 * Compares after a pause of `debounceMs`, in which the texts are prepared. A newer request, which must be another object, ends the
 * comparison of the previous one.
 */
export function useComparison(request: ComparisonRequest, debounceMs: number): ComparisonState {
  const [result, setResult] = useState<{ request: ComparisonRequest; attempt: number; compared: ComparedTexts | null } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const worker = startComparison(request);
    let isCurrent = true;
    const timer = setTimeout(() => {
      worker.run().then(
        // The first rows are rendered in slices, between which the page reacts.
        (compared) => isCurrent && startTransition(() => setResult({ request, attempt, compared })),
        (error: unknown) => {
          if (!isCurrent) return;
          logFailure("Failed to compare texts", error);
          setResult({ request, attempt, compared: null });
        },
      );
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      worker.end();
    };
  }, [request, debounceMs, attempt]);
  const isCurrent = result?.request === request && result.attempt === attempt;
  const isOfTheseTexts = result?.request.before === request.before && result.request.after === request.after;
  return {
    compared: isOfTheseTexts ? result.compared : null,
    isRunning: !isCurrent,
    hasFailed: isCurrent && result.compared === null,
    retry: useCallback(() => setAttempt((current) => current + 1), []),
  };
}
