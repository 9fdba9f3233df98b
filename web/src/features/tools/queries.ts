import { route } from "@fairway/contract/route";
import { tools } from "@fairway/contract/tools";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { call, callText } from "#lib/call.ts";
import { parseKeyCalls } from "./key-calls.ts";

/** Not in the contract, from which the document is generated. */
export const apiDescription = route({
  method: "GET",
  path: "/openapi.json",
  access: "public",
  summary: "All calls of the API as an OpenAPI document.",
  response: z.string(),
  streamed: true,
});

export const toolsQuery = queryOptions({ queryKey: ["tools"], queryFn: ({ signal }) => call(tools.list, {}, { signal }) });

/** The guide as Markdown with its placeholders. */
export const guideQuery = (name: string) =>
  queryOptions({ queryKey: ["tools", name, "guide"], queryFn: ({ signal }) => callText(tools.guide, { params: { name } }, { signal }) });

/** The calls that API keys may make. */
export const keyCallsQuery = queryOptions({
  queryKey: ["tools", "calls"],
  queryFn: async ({ signal }) => parseKeyCalls(await callText(apiDescription, {}, { signal })),
});
