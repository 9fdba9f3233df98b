import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";

/** The part of a query's result that is shown. */
export interface ShownQuery<Data> {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
}

interface Empty {
  title?: string;
  icon?: ReactNode;
  text: ReactNode;
  action?: ReactNode;
}

interface WithoutDataProps<Data> {
  query: ShownQuery<Data>;
  /** The bars appear after 150 ms; their space is reserved at once. A screen may show its own shape instead. */
  loading: { label: string; rows?: number; rowHeight?: number } | { shown: ReactNode };
  /** Says what failed; the server's reasons follow. */
  failed: string;
  /** Instead of the server's reasons. */
  reasons?: readonly string[] | undefined;
  /** False where no retry can succeed. */
  canRetry?: (error: Error) => boolean;
  /** Another next step where it failed. */
  otherwise?: ReactNode;
}

export interface QueryStateProps<Data> extends WithoutDataProps<Data> {
  /** Shown for an empty list, and says what to do. */
  empty?: Empty;
  /** Default: whether the data is a list without items. */
  isEmpty?: (data: Data) => boolean;
  /** Shown where a filter leaves nothing; undefined where it leaves something. */
  noMatch?: { title?: string; text: ReactNode; clear: { label: string; run: () => void } } | undefined;
  children: (data: Data) => ReactNode;
}

/** The data of a query, or why there is none. Data that was loaded stays while it is loaded again, also if that fails. */
export function QueryState<Data>({ empty, isEmpty = hasNoItems, noMatch, children, ...state }: QueryStateProps<Data>) {
  const { data } = state.query;
  if (data === undefined) return <WithoutData {...state} />;
  if (empty && isEmpty(data)) {
    const { text, ...rest } = empty;
    return <EmptyState {...rest}>{text}</EmptyState>;
  }
  if (noMatch) {
    const { text, clear, ...rest } = noMatch;
    return (
      <EmptyState
        {...rest}
        action={
          <Button variant="default" onClick={clear.run}>
            {clear.label}
          </Button>
        }
      >
        {text}
      </EmptyState>
    );
  }
  return children(data);
}

/** Why a query has no data: it is loaded, or that failed. */
export function WithoutData({ query, loading, failed, reasons, canRetry, otherwise }: WithoutDataProps<unknown>) {
  const { error, refetch } = query;
  // A query without data that is loaded again has no error meanwhile.
  if (error === null) return "shown" in loading ? loading.shown : <LoadingRows {...loading} />;
  const onRetry = canRetry?.(error) === false ? undefined : () => void refetch();
  return <ErrorState message={failed} details={reasons ?? messagesOf(error)} onRetry={onRetry} action={otherwise} />;
}

/** Queries of which all must have data, as one. A retry loads those again that have none. */
export function together(...queries: readonly ShownQuery<unknown>[]): ShownQuery<true> {
  const missing = queries.filter(({ data }) => data === undefined);
  return {
    data: missing.length === 0 || undefined,
    error: missing.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => missing.forEach(({ refetch }) => void refetch()),
  };
}

const hasNoItems = (data: unknown): boolean => Array.isArray(data) && data.length === 0;
