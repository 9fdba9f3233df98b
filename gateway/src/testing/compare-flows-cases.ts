import type { ComponentFlow } from "#flow-definitions/flow-model.ts";
import { readFlow } from "#flow-definitions/read-flow.ts";

export function read(text: string): ComponentFlow {
  const flow = readFlow(text);
  if (flow.format === "yaml") throw new Error("is only text");
  return flow;
}
