import { flowDifferences } from "@fairway/contract/flow-differences";
import { changesPage, fieldChange, flowComponent } from "./flow-differences.tsx";
import { serveFlowRequest } from "./flow-request.ts";
import { gateway } from "./open-screen.tsx";
import { page } from "vitest/browser";

export const timeout = fieldChange(flowComponent("Fetch"), "Read Timeout", "15 secs", "60 secs");
export const retries = fieldChange(flowComponent("Publish"), "Retry Count", "1", "3");

export function serve(options: Parameters<typeof serveFlowRequest>[0] = {}) {
  const stored = serveFlowRequest(options);
  gateway.answer(flowDifferences.changes, changesPage([timeout, retries]));
  return stored;
}

export const member = { roles: ["flow-developer-weather"] };

export const viewer = page.getByRole("region", { name: "Content" });

export const views = viewer.getByRole("group", { name: "View" });

export const card = (name: string) => viewer.getByRole("region", { name: `Processor ${name}` });
