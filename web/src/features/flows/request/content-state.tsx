import type { UseQueryResult } from "@tanstack/react-query";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";

/** Stands in the place of a content that is loading or failed to load. */
export function contentState(query: UseQueryResult, name: string) {
  if (query.data !== undefined) return null;
  const loading = { label: `Loading ${name}`, rows: 16, rowHeight: 20 };
  return <WithoutData query={query} loading={loading} failed="Failed to Load Flow" canRetry={canSucceedLater} />;
}
