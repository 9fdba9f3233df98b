import { randomUUID } from "node:crypto";
import { type FakeFields, recordsIn, stringIn } from "./fake-flow.ts";

interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

/** The elements of a template; undefined if it is not well-formed. Only what NiFi's templates use. */
export function parseTemplate(xml: string): Element | undefined {
  const root: Element = { name: "", children: [], text: "" };
  const open = [root];
  for (const [, tag = "", text = ""] of xml.replace(/^<\?[^>]*\?>/, "").matchAll(/<([^<>]*)>([^<]*)/g)) {
    const name = tag.split(/[\s/]/, 1)[0] ?? "";
    if (tag.startsWith("/")) {
      if (open.pop()?.name !== tag.slice(1)) return undefined;
      continue;
    }
    const element = { name, children: [], text: text.trim() };
    open.at(-1)?.children.push(element);
    if (!tag.endsWith("/")) open.push(element);
  }
  return open.length === 1 ? root.children[0] : undefined;
}

export const childText = (element: Element, name: string): string => element.children.find((child) => child.name === name)?.text ?? "";

/** The contents of the group into which a template is instantiated, with identifiers of their own. */
export function contentsOf(template: Element): FakeFields {
  const snippet = template.children.find(({ name }) => name === "snippet");
  const identifiers = new Map<string, string>();
  return { identifier: randomUUID(), ...(snippet ? groupContents(snippet, identifiers) : emptyGroup) };
}

const emptyGroup = { processGroups: [], processors: [], inputPorts: [], outputPorts: [], controllerServices: [], connections: [] };

function groupContents(parent: Element, identifiers: Map<string, string>): FakeFields {
  const each = (name: string) => parent.children.filter((child) => child.name === name);
  const identifierOf = (id: string): string => {
    const identifier = identifiers.get(id) ?? randomUUID();
    identifiers.set(id, identifier);
    return identifier;
  };
  const headed = (element: Element, fields: FakeFields): FakeFields => ({
    identifier: identifierOf(childText(element, "id")),
    // Connections without a name have none in definitions.
    ...(childText(element, "name") !== "" && { name: childText(element, "name") }),
    ...fields,
  });
  const end = (element: Element, name: string) => {
    const side = element.children.find((child) => child.name === name);
    return { id: identifierOf(side ? childText(side, "id") : ""), type: side ? childText(side, "type") : "" };
  };
  return {
    ...emptyGroup,
    processors: each("processors").map((one) => headed(one, { type: childText(one, "type"), properties: propertiesOf(one) })),
    controllerServices: each("controllerServices").map((one) => headed(one, { type: childText(one, "type") })),
    connections: each("connections").map((one) => headed(one, { source: end(one, "source"), destination: end(one, "destination") })),
    processGroups: each("processGroups").map((one) => {
      const contents = one.children.find(({ name }) => name === "contents");
      return headed(one, contents ? groupContents(contents, identifiers) : emptyGroup);
    }),
  };
}

function propertiesOf(processor: Element): FakeFields {
  const config = processor.children.find(({ name }) => name === "config");
  const entries = config?.children.find(({ name }) => name === "properties")?.children ?? [];
  return Object.fromEntries(entries.map((entry) => [childText(entry, "key"), childText(entry, "value") || null]));
}

/** The names of what a template puts directly into a group. */
export const namesIn = (contents: FakeFields): string[] =>
  ["processGroups", "processors"].flatMap((field) => recordsIn(contents, field).map((one) => stringIn(one, "name")));
