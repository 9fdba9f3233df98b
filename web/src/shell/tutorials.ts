import { type DocEntry, videoCategory } from "@fairway/contract/docs";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { logFailure } from "#lib/log.ts";
import { queryClient } from "#lib/query-client.ts";

/** Fetches the docs for the menu on login and for each new user. A failure is only logged. */
export function useLoadDocs(username: string): void {
  useEffect(() => {
    let isLeft = false;
    import("#parts/help/docs-query.ts")
      .then(({ docsQuery }) => (isLeft ? undefined : queryClient.fetchQuery({ ...docsQuery, retry: false })))
      .catch((error: unknown) => logFailure(`The docs could not be loaded for ${username}`, error));
    return () => {
      isLeft = true;
    };
  }, [username]);
}

/** Whether there are tutorial videos, as far as the docs are loaded. */
export function useHasTutorials(): boolean {
  const { data = [] } = useQuery<DocEntry[]>({ queryKey: ["docs"], queryFn: skipToken });
  return data.some(({ category }) => category === videoCategory);
}
