import { useEffect } from "react";
import { fetchSaved } from "#features/search/saved-searches/queries.ts";
import { logFailure } from "#lib/browser/log.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import { docsQuery } from "#parts/help/docs-query.ts";

/** Fetches the docs for the menu on login and for each new user. A failure is only logged. */
export function useLoadDocs(username: string): void {
  useEffect(() => {
    queryClient
      .fetchQuery({ ...docsQuery, retry: false })
      .catch((error: unknown) => logFailure(`The docs could not be loaded for ${username}`, error));
  }, [username]);
}

/** Prefetches the user's saved searches and graph templates while the browser is idle. A failure is only logged. */
export function usePrefetchSaved(username: string): void {
  useEffect(
    () =>
      whenIdle(() => {
        fetchSaved().catch((error: unknown) => logFailure(`What ${username} has saved could not be loaded`, error));
      }),
    [username],
  );
}
