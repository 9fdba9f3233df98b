import { type FlowComponentKind, type FlowComponentRef, flowNameCharacters } from "@fairway/contract/flow-differences";
import type { ComponentFlow, FlowComponent } from "./flow-model.ts";
import { isReference } from "./match-components.ts";
import { cut, onOneLine } from "./shown-text.ts";

export const nameInSentence = 80;

/** Reference to a component, as listed in a change, a drawing or a finding. */
export function refOf(component: FlowComponent, flow: ComponentFlow): FlowComponentRef {
  const groupPath: string[] = [];
  for (let id = component.parentId; id !== null && groupPath.length < 100;) {
    const parent = flow.components.get(id);
    if (parent === undefined) break;
    groupPath.unshift(cut(parent.name, flowNameCharacters));
    id = parent.parentId;
  }
  return {
    kind: component.kind,
    id: component.id,
    name: cut(shownName(component), flowNameCharacters),
    type: cut(component.type, flowNameCharacters),
    groupPath,
  };
}

/** Labels are called by their text, and connections without a name by their relationships, as on NiFi's canvas. */
export function shownName(component: FlowComponent): string {
  if (component.kind === "label") return labelText(component);
  const relationships = component.kind === "connection" ? component.fields.get("selectedRelationships") : undefined;
  return component.name === "" && typeof relationships === "string" ? relationships : component.name;
}

const labelText = ({ fields }: FlowComponent): string => {
  const text = fields.get("label");
  // Cut first: every change of a label names it.
  return typeof text === "string" ? onOneLine(text.slice(0, flowNameCharacters * 2)) : "";
};

export const componentNouns: Readonly<Record<FlowComponentKind, string>> = {
  flow: "flow",
  "process-group": "process group",
  processor: "processor",
  "input-port": "input port",
  "output-port": "output port",
  funnel: "funnel",
  label: "label",
  connection: "connection",
  "remote-process-group": "remote process group",
  "remote-port": "remote port",
  "controller-service": "controller service",
  "parameter-context": "parameter context",
  parameter: "parameter",
  "parameter-provider": "parameter provider",
};

export const quoted = (name: string): string => `"${onOneLine(cut(name, nameInSentence))}"`;

/** Class names are long; their last part says what it is. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(".") + 1);

/** For example `processor "Gen"` or `connection from "Gen" to "Log"`. */
export function nameComponent(component: FlowComponent, flow: ComponentFlow): string {
  const noun = componentNouns[component.kind];
  if (component.kind === "flow") return noun;
  if (component.kind === "connection") {
    const name = component.name === "" ? noun : `${noun} ${quoted(component.name)}`;
    return `${name} from ${nameEnd(component, "source", flow)} to ${nameEnd(component, "destination", flow)}`;
  }
  const name = component.kind === "label" ? labelText(component) : component.name;
  if (component.kind === "parameter") {
    const context = flow.components.get(component.parentId ?? "");
    return `${noun} ${quoted(name)} of the context ${quoted(context?.name ?? "")}`;
  }
  if (name !== "") return `${noun} ${quoted(name)}`;
  return component.kind === "funnel" ? noun : `${noun} without a name`;
}

/** Name of the component at an end of a connection. */
export function nameEnd({ fields, parentId }: FlowComponent, end: "source" | "destination", flow: ComponentFlow): string {
  const value = fields.get(end);
  if (!isReference(value)) return "nothing";
  const component = flow.components.get(value.referenceTo);
  if (component === undefined) return value.name === "" ? "a missing component" : `the missing component ${quoted(value.name)}`;
  const name = component.name === "" ? `a ${componentNouns[component.kind]}` : quoted(component.name);
  const group = component.parentId === parentId ? undefined : flow.components.get(component.parentId ?? "");
  return group === undefined || group.name === "" ? name : `${name} in ${quoted(group.name)}`;
}
