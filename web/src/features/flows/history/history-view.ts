import type { MainIteration } from "@fairway/contract/flow-requests";

/** The part of a flow's main history that is shown. */
export interface HistoryView {
  shown: MainIteration;
  /** The iteration that it is compared with; undefined to show only its content. */
  base: MainIteration | undefined;
}

/**
 * The view of an address, `?iteration=12&against=9`, in a history with the newest first. Without an iteration, or with one that the
 * history does not have, it is the newest one.
 */
export function historyView(
  history: readonly [MainIteration, ...MainIteration[]],
  { iteration, against }: Readonly<Record<string, unknown>>,
): HistoryView {
  const named = (id: unknown) => history.find((one) => String(one.iteration.id) === id);
  const shown = named(iteration) ?? history[0];
  const base = named(against);
  return { shown, base: base === shown ? undefined : base };
}

/** The query parameters of a view. */
export const historySearch = ({ shown, base }: HistoryView): { iteration: string; against: string | undefined } => ({
  iteration: String(shown.iteration.id),
  against: base && String(base.iteration.id),
});

/** The iteration that was accepted before, or after the oldest. Undefined if there is only one. */
export function neighborOf(history: readonly MainIteration[], shown: MainIteration): MainIteration | undefined {
  const index = history.indexOf(shown);
  return history[index + 1] ?? history[index - 1];
}
