import { route } from "@fairway/contract/route";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callText } from "#lib/gateway/call.ts";
import { parseKeyCalls } from "./key-calls.ts";

/** Not in the contract, from which the document is generated. */
export const apiDescription = route({
  method: "GET",
  path: "/openapi.json",
  access: "public",
  summary: "The whole API as an OpenAPI document.",
  response: z.string(),
  streamed: true,
});

/** The calls that API keys may make. */
export const keyCallsQuery = queryOptions({
  queryKey: ["tools", "calls"],
  queryFn: async ({ signal }) => parseKeyCalls(await callText(apiDescription, {}, { signal })),
});
