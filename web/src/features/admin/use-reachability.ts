import { torchServiceChecks } from "@fairway/contract/torch-services";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import type { EntityKind } from "./entity-kind.ts";

/** Whether a service answers, in words, by its id. Nothing for types that are no services, and until it is known. */
export function useReachability({ type }: EntityKind): (id: string) => string {
  const { data, error } = useQuery({
    queryKey: ["admin", type, "reachability"],
    queryFn: ({ signal }) => call(torchServiceChecks.reachability, {}, { signal }),
    enabled: type === "torch-service",
    staleTime: 0,
  });
  return useMemo(() => {
    const notes = new Map(
      data?.map(({ name, reachable, answeredMs, problem }) => [
        name,
        reachable ? `yes, in ${Math.round(answeredMs ?? 0)} ms` : `no: ${problem}`,
      ]),
    );
    const unknown = data === undefined && error ? `not known: ${messagesOf(error).join(" ")}` : "";
    return (id) => notes.get(id) ?? unknown;
  }, [data, error]);
}
