import { docs } from "@fairway/contract/docs";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The enabled docs by name. */
export const docsQuery = queryOptions({ queryKey: ["docs"], queryFn: ({ signal }) => call(docs.list, {}, { signal }) });
