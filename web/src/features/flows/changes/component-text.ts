import type { FlowComponentKind, FlowComponentRef } from "@fairway/contract/flow-differences";

const kindNames: Record<FlowComponentKind, string> = {
  flow: "Flow",
  "process-group": "Process group",
  processor: "Processor",
  "input-port": "Input port",
  "output-port": "Output port",
  funnel: "Funnel",
  label: "Label",
  connection: "Connection",
  "remote-process-group": "Remote process group",
  "remote-port": "Remote port",
  "controller-service": "Controller service",
  "parameter-context": "Parameter context",
  parameter: "Parameter",
  "parameter-provider": "Parameter provider",
};

export const kindName = (kind: FlowComponentKind): string => kindNames[kind];

/** `LogAttribute` of `org.apache.nifi.processors.standard.LogAttribute`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(".") + 1);

/** Name of a component where its kind is shown beside it. */
export const componentName = ({ name, type, kind }: Pick<FlowComponentRef, "name" | "type" | "kind">): string =>
  name || shortType(type) || (kind === "connection" ? "Without relationships" : "Without a name");

/** The heading above the components of one process group. */
export function groupHeading({ kind, groupPath }: Pick<FlowComponentRef, "kind" | "groupPath">): string {
  if (kind === "parameter") return `Parameter context ${groupPath.join(" / ")}`;
  if (kind === "parameter-context" || kind === "parameter-provider") return "Parameter contexts";
  return groupPath.length === 0 ? "Flow" : groupPath.join(" / ");
}
