import type { FlowFormat } from "@fairway/contract/flow-requests";
import { FlowUnreadable } from "#flow-definitions/flow-model.ts";
import { formatOf, readFlow } from "#flow-definitions/read-flow.ts";

export interface Inspected {
  readonly format: FlowFormat;
  /** A sentence, if the content must not be stored because reading it is dangerous. */
  readonly danger?: string;
}

/** Reads a content as a flow. Whatever else is wrong with it is left to reviewers. */
export function inspectContent(text: string): Inspected {
  const format = formatOf(text);
  try {
    readFlow(text);
    return { format };
  } catch (error) {
    if (!(error instanceof FlowUnreadable)) throw error;
    if (error.reason === "dangerous") return { format, danger: error.message };
    // Content that is neither JSON nor XML is taken for YAML until it is read.
    return { format: format === "yaml" ? "unknown" : format };
  }
}
