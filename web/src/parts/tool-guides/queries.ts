import { tools } from "@fairway/contract/tools";
import { queryOptions } from "@tanstack/react-query";
import { call, callText } from "#lib/gateway/call.ts";

export const toolsQuery = queryOptions({ queryKey: ["tools"], queryFn: ({ signal }) => call(tools.list, {}, { signal }) });

/** The guide as Markdown with its placeholders. */
export const guideQuery = (name: string) =>
  queryOptions({ queryKey: ["tools", name, "guide"], queryFn: ({ signal }) => callText(tools.guide, { params: { name } }, { signal }) });
