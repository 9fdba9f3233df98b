import { readFileSync } from "node:fs";
import type { ComponentFlow } from "./flow-model.ts";
import { readFlow } from "./read-flow.ts";

/** Reads a flow whose components are known, in any of their formats. */
export function read(text: string): ComponentFlow {
  const flow = readFlow(text);
  if (flow.format === "yaml") throw new Error("is only text");
  return flow;
}

/** The text of a file that a NiFi has written. */
export const realFile = (name: string): string => readFileSync(new URL(`../testing/${name}`, import.meta.url), "utf8");
