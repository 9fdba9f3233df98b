import { torchServiceChecks } from "@fairway/contract/torch-services";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#lib/call.ts";
import type { EntityKind } from "./entity-kind.ts";

/** Which of the services answer, in words, by their ids. Empty for types that are no services, and until it is known. */
export function useReachability({ type }: EntityKind): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ["admin", type, "reachability"],
    queryFn: ({ signal }) => call(torchServiceChecks.reachability, {}, { signal }),
    enabled: type === "torch-service",
    staleTime: 0,
  });
  return useMemo(
    () =>
      new Map(
        data?.map(({ name, reachable, answeredMs, problem }) => [
          name,
          reachable ? `yes, in ${Math.round(answeredMs ?? 0)} ms` : `no: ${problem}`,
        ]),
      ),
    [data],
  );
}
