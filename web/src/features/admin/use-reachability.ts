import { torchServiceChecks } from "@fairway/contract/torch-services";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import type { EntityKind } from "./entity-kind.ts";

/** A text by service id that tells whether the service is reachable. Empty for other types and while loading. */
export function useReachability({ type }: EntityKind): (id: string) => string {
  const { data, error } = useQuery({
    queryKey: ["admin", type, "reachability"],
    queryFn: ({ signal }) => call(torchServiceChecks.reachability, {}, { signal }),
    enabled: type === "torch-service",
    staleTime: 0,
  });
  return useMemo(() => {
    const texts = new Map(
      data?.map(({ name, reachable, answeredMs, problem }) => [
        name,
        reachable ? `yes, in ${Math.round(answeredMs ?? 0)} ms` : `no: ${problem}`,
      ]),
    );
    const unknown = data === undefined && error ? `not known: ${messagesOf(error).join(" ")}` : "";
    return (id) => texts.get(id) ?? unknown;
  }, [data, error]);
}
