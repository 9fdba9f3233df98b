import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { logFailure } from "#lib/log.ts";
import type { ComparisonRequest } from "./compare-texts.ts";
import { type ComparedTexts, type ComparisonWorker, startComparisonWorker } from "./run-comparison.ts";

interface ComparisonState {
  /** Of these texts, with earlier options while it is compared anew. Null before the first one. */
  compared: ComparedTexts | null;
  isRunning: boolean;
  hasFailed: boolean;
  retry: () => void;
}

/** Compares after a pause of `debounceMs`. A newer request, which must be another object, ends the comparison of the previous one. */
export function useComparison(request: ComparisonRequest, debounceMs: number): ComparisonState {
  const [result, setResult] = useState<{ request: ComparisonRequest; attempt: number; compared: ComparedTexts | null } | null>(null);
  const [attempt, setAttempt] = useState(0);
  /** Loads during the pause, and stays for the next request if there is one before its end. */
  const waiting = useRef<ComparisonWorker>(null);
  useEffect(
    () => () => {
      waiting.current?.end();
      waiting.current = null;
    },
    [],
  );
  useEffect(() => {
    const controller = new AbortController();
    const worker = (waiting.current ??= startComparisonWorker());
    const timer = setTimeout(() => {
      waiting.current = null;
      worker.run(request, controller.signal).then(
        // The first rows are rendered in slices, between which the page reacts.
        (compared) => startTransition(() => setResult({ request, attempt, compared })),
        (error: unknown) => {
          logFailure("Failed to compare texts", error);
          setResult({ request, attempt, compared: null });
        },
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
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
