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

export interface QueryStateProps<Data> {
  query: ShownQuery<Data>;
  /** The bars appear after 150 ms; their space is reserved at once. */
  loading: { label: string; rows?: number; rowHeight?: number };
  /** Says what failed; the server's reasons follow. */
  failed: string;
  /** False where no retry can succeed. */
  canRetry?: (error: Error) => boolean;
  /** Shown for an empty list, and says what to do. */
  empty?: Empty;
  /** Default: whether the data is a list without items. */
  isEmpty?: (data: Data) => boolean;
  /** Shown where a filter leaves nothing; undefined where it leaves something. */
  noMatch?: { title?: string; text: ReactNode; clear: { label: string; run: () => void } } | undefined;
  children: (data: Data) => ReactNode;
}

/** The data of a query, or why there is none. Data that was loaded stays while it is loaded again, also if that fails. */
export function QueryState<Data>({
  query,
  loading,
  failed,
  canRetry,
  empty,
  isEmpty = hasNoItems,
  noMatch,
  children,
}: QueryStateProps<Data>) {
  const { data, error, refetch } = query;
  if (data === undefined) {
    // A query without data that is loaded again has no error meanwhile.
    if (error === null) return <LoadingRows {...loading} />;
    const onRetry = canRetry?.(error) === false ? undefined : () => void refetch();
    return <ErrorState message={failed} details={messagesOf(error)} onRetry={onRetry} />;
  }
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

const hasNoItems = (data: unknown): boolean => Array.isArray(data) && data.length === 0;
