import type { FlowFormat, MainIteration } from "@fairway/contract/flow-requests";

/** `Larger batches, iteration 2`. */
export const iterationName = ({ requestName, iteration: { number } }: MainIteration): string => `${requestName}, iteration ${number}`;

const endings: Record<FlowFormat, string> = { json: "json", xml: "xml", yaml: "yaml", unknown: "txt" };

/** A file name for the content of an iteration, with the id because many requests have an iteration of the same number. */
export const flowFileName = (flowName: string, { id, format }: { id: number; format: FlowFormat }): string =>
  `${flowName.replaceAll(/[^\p{L}\p{N}.-]+/gu, "_").replace(/^\.+/, "")}-${id}.${endings[format]}`;
