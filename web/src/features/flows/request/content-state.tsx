import type { UseQueryResult } from "@tanstack/react-query";
import { canSucceedLater, messagesOf } from "#lib/gateway/gateway-error.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";

/** Stands in the place of a content that is loading or failed to load. */
export function contentState({ data, error, isFetching, refetch }: UseQueryResult, name: string) {
  if (data !== undefined) return null;
  if (!error || isFetching) return <LoadingRows label={`Loading ${name}`} rows={16} rowHeight={20} />;
  return (
    <ErrorState
      message="Failed to Load Flow"
      details={messagesOf(error)}
      onRetry={canSucceedLater(error) ? () => void refetch() : undefined}
    />
  );
}
