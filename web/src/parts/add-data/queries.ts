import { imports } from "@fairway/contract/imports";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** An import with its reading. Asked again each second while the portal works on it. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ["imports", id],
    queryFn: ({ signal }) => call(imports.one, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.status === "ready" || data.status === "done" || data.status === "failed" ? false : pollMs,
    staleTime: 0,
    gcTime: 0,
  });

const pollMs = 1_000;

/** The unfinished imports of the user. */
export const importsQuery = queryOptions({
  queryKey: ["imports"],
  queryFn: ({ signal }) => call(imports.list, {}, { signal }),
  staleTime: 0,
});
