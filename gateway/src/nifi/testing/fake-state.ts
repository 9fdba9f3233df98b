import { randomUUID } from "node:crypto";
import { type FakeComponent, FakeContents, type FakeFields, groupsIn, recordsIn, stringIn } from "./fake-flow.ts";

export interface FakeContext {
  readonly id: string;
  readonly name: string;
  readonly parameters: { name: string; sensitive: boolean; value?: string | undefined }[];
}

/** A process group below the root. */
export interface FakeGroupState {
  readonly id: string;
  name: string;
  version: number;
  clientId: string | undefined;
  position: { x: number; y: number };
  context: FakeContext | undefined;
  /** Inner groups may have contexts of their own. */
  readonly contents: FakeContents;
}

export interface FakeReplaceRequest {
  readonly requestId: string;
  readonly processGroupId: string;
  complete: boolean;
  readonly failureReason: string | undefined;
}

/** An error that NiFi answers as plain text. */
export class FakeRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const processorTypes = [
  "GenerateFlowFile",
  "LogAttribute",
  "ListFile",
  "FetchFile",
  "PutFile",
  "InvokeHTTP",
  "ExecuteSQL",
  "ConvertRecord",
  "GetFTP",
];
const serviceTypes = ["org.apache.nifi.csv.CSVReader", "org.apache.nifi.json.JsonRecordSetWriter", "org.apache.nifi.json.JsonTreeReader"];

/** Contents of a fake NiFi. */
export class FakeState {
  readonly version: string;
  readonly rootId = randomUUID();
  readonly groups = new Map<string, FakeGroupState>();
  readonly contexts: FakeContext[] = [];
  readonly templates = new Map<string, { id: string; name: string; groupId: string; contents: FakeFields }>();
  readonly replaceRequests = new Map<string, FakeReplaceRequest>();
  readonly processorTypes = new Set(processorTypes.map((type) => `org.apache.nifi.processors.standard.${type}`));
  readonly serviceTypes = new Set(serviceTypes);
  /** Reasons why components of a name are invalid. */
  readonly invalid = new Map<string, string>();

  constructor(version: string) {
    this.version = version;
  }

  get hasTemplates(): boolean {
    return this.version.startsWith("1.");
  }

  group(id: string): FakeGroupState {
    const group = this.groups.get(id);
    if (group === undefined) throw new FakeRefusal(404, `Unable to locate group with id '${id}'.`);
    return group;
  }

  component(kind: FakeComponent["kind"], id: string): { group: FakeGroupState; component: FakeComponent } {
    for (const group of this.groups.values()) {
      const component = group.contents.components.find((one) => one.kind === kind && one.id === id);
      if (component) return { group, component };
    }
    throw new FakeRefusal(404, `Unable to find ${kind} with id '${id}'.`);
  }

  addGroup(
    name: string,
    options: { clientId?: string | undefined; position?: { x: number; y: number }; definition?: FakeFields },
  ): FakeGroupState {
    const id = randomUUID();
    const contents = (options.definition?.["flowContents"] ?? {}) as FakeFields;
    const group: FakeGroupState = {
      id,
      name,
      version: options.definition ? 2 : 1,
      clientId: options.clientId,
      position: options.position ?? { x: 0, y: 0 },
      context: undefined,
      contents: new FakeContents(id, contents),
    };
    this.groups.set(id, group);
    if (options.definition) {
      this.#addContexts(options.definition);
      group.context = this.#contextNamed(stringIn(contents, "parameterContextName"));
    }
    return group;
  }

  requireRevision(group: FakeGroupState, revision: { version?: unknown; clientId?: unknown }): void {
    // NiFi accepts an older version from the client that made the last change; the portal never relies on it.
    if (Number(revision.version) === group.version) return;
    const named = [String(revision.version), ...(typeof revision.clientId === "string" ? [revision.clientId] : []), group.id].join(", ");
    throw new FakeRefusal(400, `[${named}] is not the most up-to-date revision. This component appears to have been modified`);
  }

  replace(group: FakeGroupState, definition: FakeFields): FakeReplaceRequest {
    const contents = definition["flowContents"] as FakeFields;
    const orphan = group.contents.findOrphanedQueue(contents);
    const request: FakeReplaceRequest = {
      requestId: randomUUID(),
      processGroupId: group.id,
      complete: orphan !== undefined,
      failureReason: orphan && this.#orphanReason(group, orphan.id, orphan.sourceId, orphan.destinationId),
    };
    this.replaceRequests.set(request.requestId, request);
    if (orphan) return request;
    group.contents.replace(contents);
    group.name = stringIn(contents, "name");
    group.version += 1;
    this.#addContexts(definition);
    const contextName = stringIn(contents, "parameterContextName");
    if (contextName === "") group.context = undefined;
    // As NiFi 1.18 does: a group that has a context keeps it.
    else group.context ??= this.#contextNamed(contextName);
    return request;
  }

  delete(group: FakeGroupState): void {
    const { components, connections } = group.contents;
    const running = components.find(({ kind, isOn }) => kind !== "service" && isOn);
    const type = running?.type.slice(running.type.lastIndexOf(".") + 1);
    if (running) throw new FakeRefusal(409, `Cannot delete ${type}[id=${running.id}] because Processor is running`);
    const full = connections.find(({ queued }) => queued > 0);
    if (full) throw new FakeRefusal(409, `Queue not empty for ${full.id}`);
    const count = [...this.templates.values()].filter(({ groupId }) => groupId === group.id).length;
    if (count > 0) {
      throw new FakeRefusal(
        409,
        `Cannot delete Process Group because it contains ${count} Templates. The Templates must be deleted first.`,
      );
    }
    this.groups.delete(group.id);
  }

  schedule(group: FakeGroupState, isOn: boolean): void {
    for (const one of group.contents.components) {
      if (one.kind === "service" || one.isDisabled) continue;
      // NiFi skips what it is validating and what is invalid, without an error.
      if (isOn && (one.validatingReads > 0 || this.validationErrors(group, one).length > 0)) continue;
      one.isOn = isOn;
    }
  }

  enableServices(group: FakeGroupState, isOn: boolean): void {
    for (const one of group.contents.components) {
      if (one.kind === "service" && (!isOn || this.validationErrors(group, one).length === 0)) one.isOn = isOn;
    }
  }

  /** In the words of NiFi. */
  validationErrors(group: FakeGroupState, component: FakeComponent): string[] {
    const named = this.invalid.get(component.name);
    if (named !== undefined) return [named];
    const isKnown = component.kind === "service" ? this.serviceTypes.has(component.type) : this.processorTypes.has(component.type);
    if (component.kind === "processor" && !isKnown) {
      return [
        `'Missing Processor' validated against 'Any Property' is invalid because Processor is of type ${component.type}, but this is not a valid Processor type`,
      ];
    }
    const properties = (component.fields["properties"] ?? {}) as FakeFields;
    const context = this.#contextOf(group, component.groupId);
    return Object.entries(properties).flatMap(([name, value]) => {
      const label = displayNameOf(component, name);
      const service =
        typeof value === "string"
          ? group.contents.components.find((one) => one.kind === "service" && one.fields["identifier"] === value)
          : undefined;
      if (service && !service.isOn) {
        return [`'${label}' validated against '${service.id}' is invalid because Controller Service with ID ${service.id} is disabled`];
      }
      const parameter = typeof value === "string" ? /#\{([^{}]+)\}/.exec(value)?.[1] : undefined;
      if (parameter === undefined) return [];
      if (context === undefined) {
        return [
          `'${label}' is invalid because Property references one or more Parameters but no Parameter Context is currently set on the Process Group`,
        ];
      }
      if (context.parameters.some((one) => one.name === parameter)) return [];
      return [
        `'${label}' is invalid because Property references Parameter '${parameter}' but the currently selected Parameter Context does not have a Parameter with that name`,
      ];
    });
  }

  /** How many components use a service. */
  referencesTo(group: FakeGroupState, service: FakeComponent): FakeComponent[] {
    return group.contents.components.filter(({ fields }) =>
      Object.values((fields["properties"] ?? {}) as FakeFields).includes(service.fields["identifier"]),
    );
  }

  /** The definition that NiFi would export; sensitive values are left out. */
  definitionOf(group: FakeGroupState): FakeFields {
    const contents = structuredClone(group.contents.contents);
    const names = new Set([group.context?.name, ...groupsIn(contents).map((one) => stringIn(one, "parameterContextName"))]);
    const contexts = this.contexts.filter(({ name }) => names.has(name));
    return {
      flowContents: {
        identifier: stringIn(contents, "identifier") || group.id,
        ...contents,
        instanceIdentifier: group.id,
        name: group.name,
        ...(group.context ? { parameterContextName: group.context.name } : { parameterContextName: undefined }),
      },
      externalControllerServices: {},
      parameterContexts: Object.fromEntries(
        contexts.map(({ name, parameters }) => [
          name,
          {
            name,
            parameters: parameters.map((one) => (one.sensitive ? { ...one, value: undefined } : one)),
            inheritedParameterContexts: [],
          },
        ]),
      ),
      flowEncodingVersion: "1.0",
      parameterProviders: {},
      latest: false,
    };
  }

  /** Contexts that exist keep their values and get the parameters that they lack. */
  #addContexts(definition: FakeFields): void {
    for (const [name, value] of Object.entries((definition["parameterContexts"] ?? {}) as FakeFields)) {
      const context = this.#contextNamed(name) ?? { id: randomUUID(), name, parameters: [] };
      if (!this.contexts.includes(context)) this.contexts.push(context);
      for (const parameter of recordsIn(value as FakeFields, "parameters")) {
        const parameterName = stringIn(parameter, "name");
        if (context.parameters.some((one) => one.name === parameterName)) continue;
        const parameterValue = typeof parameter["value"] === "string" ? parameter["value"] : undefined;
        context.parameters.push({ name: parameterName, sensitive: parameter["sensitive"] === true, value: parameterValue });
      }
    }
  }

  #contextNamed(name: string): FakeContext | undefined {
    return this.contexts.find((one) => one.name === name);
  }

  #contextOf(group: FakeGroupState, groupId: string): FakeContext | undefined {
    if (groupId === group.id) return group.context;
    const inner = groupsIn(group.contents.contents).find((one) => one["instanceIdentifier"] === groupId);
    return inner && this.#contextNamed(stringIn(inner, "parameterContextName"));
  }

  #orphanReason(group: FakeGroupState, id: string, sourceId: string, destinationId: string): string {
    return (
      `Failed to perform update flow request due to StandardProcessGroup[identifier=${group.id},name=${group.name}] cannot be updated to the proposed flow ` +
      `because the proposed flow does not contain a match for Connection[ID=${id}, Source ID=${sourceId}, Dest ID=${destinationId}] and the connection currently has data in the queue.`
    );
  }
}

const displayNameOf = ({ fields }: FakeComponent, property: string): string =>
  stringIn((((fields["propertyDescriptors"] ?? {}) as FakeFields)[property] ?? {}) as FakeFields, "displayName") || property;
