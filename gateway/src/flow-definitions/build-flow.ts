import { createHash } from "node:crypto";
import type { FlowComponentKind } from "@fairway/contract/flow-differences";
import {
  type ComponentFlow,
  type FlowComponent,
  FlowUnreadable,
  type FlowReference,
  type FlowValue,
  maxComponents,
  maxFields,
  maxGroupDepth,
} from "./flow-model.ts";
import { holdsSecret, isParameterReference, isSecretName, secretOf } from "./secrets.ts";
import { ComponentIndex } from "./component-index.ts";

/** Any object of a flow definition, as parsed. Its keys are input: look them up with `own`. */
export type RawObject = Readonly<Record<string, unknown>>;

/** A flow as JSON objects; templates are brought into this form. */
export interface RawFlow {
  readonly format: ComponentFlow["format"];
  readonly rootGroup: RawObject;
  readonly parameterContexts: readonly (readonly [name: string, context: RawObject])[];
  readonly parameterProviders: readonly RawObject[];
  /** Controller services outside the flow that it uses, with their names. */
  readonly externalServices: readonly (readonly [id: string, name: string])[];
  readonly flowFields: RawObject;
}

/** Lists of a process group with the components that they hold. Groups are read last, so that parents precede their children. */
const childLists: readonly (readonly [list: string, kind: FlowComponentKind])[] = [
  ["controllerServices", "controller-service"],
  ["processors", "processor"],
  ["inputPorts", "input-port"],
  ["outputPorts", "output-port"],
  ["funnels", "funnel"],
  ["labels", "label"],
  ["remoteProcessGroups", "remote-process-group"],
  ["connections", "connection"],
  ["processGroups", "process-group"],
];

/** Not part of a component's own configuration: derived, repeated elsewhere, or different for every export. */
const ignored = new Set([
  ...childLists.map(([list]) => list),
  ...(
    "identifier instanceIdentifier groupIdentifier componentType name type position bends bundle properties propertyDescriptors variables " +
    "versionedFlowCoordinates source destination controllerServiceApis contents targetId remoteGroupId"
  ).split(" "),
]);
/** Their order has no meaning. */
const unordered = new Set(["autoTerminatedRelationships", "selectedRelationships", "retriedRelationships"]);

/** Kinds whose type is a class. */
const typed: ReadonlySet<FlowComponentKind> = new Set(["processor", "controller-service", "parameter-provider"]);

/** Components that connections may start or end at. */
const connectable: ReadonlySet<FlowComponentKind> = new Set(["processor", "input-port", "output-port", "funnel", "remote-port"]);

/** Throws FlowUnreadable if there are too many components or fields, or too deeply nested groups. */
export function buildFlow(raw: RawFlow): ComponentFlow {
  const builder = new FlowBuilder(raw);
  return { format: raw.format, components: builder.components, rootId: builder.rootId };
}

interface Unread {
  readonly raw: RawObject;
  readonly kind: FlowComponentKind;
  readonly parentId: string | null;
  readonly fields: Map<string, FlowValue>;
  readonly displayNames: Map<string, string>;
}

class FlowBuilder {
  readonly components = new Map<string, FlowComponent>();
  readonly rootId: string;
  readonly #external: ReadonlyMap<string, string>;
  readonly #repeated: ReadonlySet<string>;
  readonly #services = new ComponentIndex(this.components);
  readonly #connectable = new ComponentIndex(this.components);
  /** Read after all others, because references need the ids of their targets. */
  readonly #unread: Unread[] = [];
  #fields = 0;

  constructor(raw: RawFlow) {
    this.#external = new Map(raw.externalServices);
    this.#repeated = repeatedIdentifiers(raw);
    const flow = this.#add("flow", { raw: { identifier: "flow" }, parentId: null });
    this.rootId = this.#addGroup(raw.rootGroup);
    for (const [name, context] of raw.parameterContexts) this.#addParameterContext(name, context);
    for (const provider of raw.parameterProviders) this.#add("parameter-provider", { raw: provider, parentId: null });
    for (const component of this.#unread) this.#readFields(component);
    this.#readPlainFields(raw.flowFields, flow.fields);
    for (const [id, name] of raw.externalServices) this.#set(flow.fields, `externalControllerServices.${id}`, name);
  }

  /** Not recursive: a group's children are added when it is their turn. */
  #addGroup(rootGroup: RawObject): string {
    const root = this.#add("process-group", { raw: rootGroup, parentId: null });
    const groups = [{ raw: rootGroup, id: root.id, depth: 1 }];
    for (const group of groups) {
      if (group.depth > maxGroupDepth) throw tooComplex(`process groups nested more than ${maxGroupDepth} deep`);
      for (const [list, kind] of childLists) {
        for (const raw of objects(group.raw[list])) {
          const { id } = this.#add(kind, { raw, parentId: group.id });
          if (kind === "process-group") groups.push({ raw, id, depth: group.depth + 1 });
          if (kind === "remote-process-group") this.#addRemotePorts(raw, id);
        }
      }
    }
    return root.id;
  }

  #addRemotePorts(raw: RawObject, parentId: string): void {
    for (const port of objects(raw.inputPorts)) this.#add("remote-port", { raw: port, parentId, fields: [["direction", "input"]] });
    for (const port of objects(raw.outputPorts)) this.#add("remote-port", { raw: port, parentId, fields: [["direction", "output"]] });
  }

  #addParameterContext(name: string, raw: RawObject): void {
    const context = this.#add("parameter-context", { raw: { ...raw, identifier: `context ${name}`, name }, parentId: null });
    for (const parameter of objects(raw.parameters)) {
      const parameterName = textOf(parameter.name) ?? "";
      const identifier = `parameter ${JSON.stringify([name, parameterName])}`;
      this.#add("parameter", { raw: { ...parameter, identifier }, parentId: context.id });
    }
  }

  #add(
    kind: FlowComponentKind,
    { raw, parentId, fields: given = [] }: { raw: RawObject; parentId: string | null; fields?: readonly [string, string][] },
  ): { readonly id: string; readonly fields: Map<string, FlowValue> } {
    if (this.components.size >= maxComponents) throw tooComplex(`more than ${maxComponents} components`);
    const identifier = textOf(raw.identifier) ?? "";
    const id = this.#uniqueId(identifier === "" ? kind : identifier, parentId);
    const fields = new Map<string, FlowValue>(given);
    const type = typed.has(kind) ? (textOf(raw.type) ?? "") : "";
    const displayNames = new Map<string, string>();
    this.components.set(id, { kind, id, identifier, parentId, name: textOf(raw.name) ?? "", type, fields, displayNames });
    const index = kind === "controller-service" ? this.#services : connectable.has(kind) ? this.#connectable : undefined;
    if (identifier !== "") index?.add(identifier, { id, parentId, instance: textOf(raw.instanceIdentifier) });
    this.#unread.push({ raw, kind, parentId, fields, displayNames });
    return { id, fields };
  }

  readonly #taken = new Map<string, number>();

  /**
   * Identifiers are sent as they are, so they are short and plain. Copied process groups repeat those of their components: there, the
   * groups that hold a component identify it, whatever their order.
   */
  #uniqueId(wanted: string, parentId: string | null): string {
    const plain = /^[\x20-\x7e]{1,150}$/.test(wanted) ? wanted : sha256(wanted);
    const groups = this.#repeated.has(wanted) ? this.#identifiersAbove(parentId) : [];
    const base = groups.length === 0 ? plain : `${plain}@${sha256(JSON.stringify(groups)).slice(0, 8)}`;
    let id = base;
    while (this.components.has(id)) {
      const next = (this.#taken.get(base) ?? 1) + 1;
      this.#taken.set(base, next);
      id = `${base}#${next}`;
    }
    return id;
  }

  /** Of the group and those that hold it, without the outermost one. */
  #identifiersAbove(groupId: string | null): string[] {
    const identifiers: string[] = [];
    for (let one = this.components.get(groupId ?? ""); one && one.parentId !== null; one = this.components.get(one.parentId)) {
      identifiers.push(one.identifier);
    }
    return identifiers;
  }

  #readFields(component: Unread): void {
    const { raw, fields, kind } = component;
    if (kind === "parameter") this.#readParameter(raw, fields);
    else this.#readPlainFields(raw, fields);
    const { position, bundle } = { position: objectOf(raw.position), bundle: objectOf(raw.bundle) };
    if (position) this.#set(fields, "position", `${coordinate(position.x)}, ${coordinate(position.y)}`);
    if (bundle) {
      this.#set(fields, "bundle", `${textOf(bundle.group) ?? ""}:${textOf(bundle.artifact) ?? ""}`);
      this.#setText(fields, "bundle.version", textOf(bundle.version));
    }
    const bends = objects(raw.bends).map(({ x, y }) => `${coordinate(x)}, ${coordinate(y)}`);
    this.#setText(fields, "bends", bends.join("; "));
    this.#readProperties(component);
    for (const [name, value] of entriesOf(raw.variables)) this.#setNamed(fields, { field: `variables.${name}`, name, value });
    for (const [name, value] of entriesOf(raw.versionedFlowCoordinates)) {
      this.#setNamed(fields, { field: `versionedFlowCoordinates.${name}`, name, value });
    }
    for (const end of ["source", "destination"] as const) {
      const target = kind === "connection" ? objectOf(raw[end]) : undefined;
      if (target) this.#set(fields, end, this.#endpoint(target, component.parentId));
    }
  }

  #readPlainFields(raw: RawObject, fields: Map<string, FlowValue>): void {
    for (const [name, value] of Object.entries(raw)) {
      if (ignored.has(name) || (name === "parameters" && Array.isArray(value))) continue;
      const text = plainText(value, unordered.has(name));
      if (text === undefined || text === "") continue;
      const isSecret = holdsSecret(text) || (isSecretName(name) && !isParameterReference(text)) || hasSecretName(value);
      this.#set(fields, name, isSecret ? secretOf(text) : text);
    }
  }

  #readParameter(raw: RawObject, fields: Map<string, FlowValue>): void {
    const { value, ...others } = raw;
    this.#readPlainFields(others, fields);
    const field = { field: "value", name: textOf(raw.name) ?? "", value };
    this.#setNamed(fields, { ...field, isSensitive: raw.sensitive === true || raw.sensitive === "true" });
  }

  #readProperties({ raw, fields, displayNames, parentId }: Unread): void {
    const descriptors = objectOf(raw.propertyDescriptors) ?? {};
    for (const [name, value] of entriesOf(raw.properties)) {
      const descriptor = objectOf(own(descriptors, name));
      const displayName = textOf(descriptor?.displayName);
      if (displayName !== undefined && displayName !== "" && displayName !== name) displayNames.set(`properties.${name}`, displayName);
      const service = typeof value === "string" ? this.#service(value, parentId) : undefined;
      if (service) this.#set(fields, `properties.${name}`, service);
      else {
        const isSensitive = descriptor?.sensitive === true || descriptor?.sensitive === "true";
        this.#setNamed(fields, { field: `properties.${name}`, name, value, isSensitive });
      }
    }
  }

  /** An empty text is a value of a property, unlike that of other fields. */
  #setNamed(
    fields: Map<string, FlowValue>,
    { field, name, value, isSensitive = false }: { field: string; name: string; value: unknown; isSensitive?: boolean },
  ): void {
    const text = typeof value === "string" ? value : plainText(value);
    if (text === undefined) return;
    const isSecret =
      (isSensitive || (isSecretName(name) && !/^(?:true|false)$/.test(text)) || holdsSecret(text)) && !isParameterReference(text);
    this.#set(fields, field, isSecret && text !== "" ? secretOf(text) : text);
  }

  #setText(fields: Map<string, FlowValue>, field: string, text: string | undefined): void {
    if (text !== undefined && text !== "") this.#set(fields, field, text);
  }

  #set(fields: Map<string, FlowValue>, field: string, value: FlowValue): void {
    this.#fields += 1;
    if (this.#fields > maxFields) throw tooComplex(`more than ${maxFields} values`);
    fields.set(field, value);
  }

  #service(identifier: string, groupId: string | null): FlowReference | undefined {
    const id = this.#services.visibleFrom(groupId, identifier);
    if (id !== undefined) return { referenceTo: id, name: "" };
    const name = this.#external.get(identifier);
    return name === undefined ? undefined : { referenceTo: identifier, name };
  }

  #endpoint(target: RawObject, groupId: string | null): FlowReference {
    const identifier = textOf(target.id) ?? "";
    const wanted = { identifier, group: textOf(target.groupId), instance: textOf(target.instanceIdentifier) };
    const id = this.#connectable.reachableFrom(groupId, wanted);
    // A missing component must not be taken for one of another group.
    const missing = this.components.has(identifier) ? `missing ${identifier} of ${wanted.group ?? ""}` : identifier;
    return { referenceTo: id ?? missing, name: textOf(target.name) ?? "" };
  }
}

/** Those that several components of the groups have. Not recursive; what is nested too deeply is refused later. */
function repeatedIdentifiers({ rootGroup }: RawFlow): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const count = ({ identifier }: RawObject) => {
    const text = textOf(identifier) ?? "";
    if (seen.has(text)) repeated.add(text);
    else if (text !== "") seen.add(text);
  };
  const groups = [rootGroup];
  count(rootGroup);
  for (const group of groups) {
    for (const [list, kind] of childLists) {
      for (const raw of objects(group[list])) {
        count(raw);
        if (kind === "process-group") groups.push(raw);
        if (kind === "remote-process-group") for (const port of [...objects(raw.inputPorts), ...objects(raw.outputPorts)]) count(port);
      }
    }
  }
  return repeated;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const tooComplex = (what: string) => new FlowUnreadable("too-complex", `The flow has ${what}.`);

const isObject = (value: unknown): value is RawObject => typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): RawObject | undefined => (isObject(value) ? value : undefined);

export const objects = (value: unknown): RawObject[] => (Array.isArray(value) ? value.filter((item) => isObject(item)) : []);

const own = (object: RawObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

export const entriesOf = (value: unknown): [string, unknown][] => Object.entries(objectOf(value) ?? {});

/** Scalars only. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** Undefined for null and for empty lists and objects. */
function plainText(value: unknown, isUnordered = false): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return textOf(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    if (value.every((item) => textOf(item) !== undefined)) {
      const items = value.map((item) => listItem(textOf(item) ?? ""));
      return (isUnordered ? [...new Set(items)].toSorted() : items).join(", ");
    }
  } else if (Object.keys(value).length === 0) return undefined;
  return canonicalJson(value);
}

const listItem = (text: string): string => (/[",]/.test(text) || text === "" ? JSON.stringify(text) : text);

/** JSON with sorted keys. Recursive, but the depth of the text was limited before. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/** Whether an object or list holds a key that names a secret. */
function hasSecretName(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasSecretName);
  return Object.entries(value).some(([key, item]) => isSecretName(key) || hasSecretName(item));
}

const coordinate = (value: unknown): number => {
  const number = Number(textOf(value) ?? 0);
  return Number.isFinite(number) ? number : 0;
};
