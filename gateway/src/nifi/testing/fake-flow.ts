import { createHash, randomUUID } from "node:crypto";

/** A JSON object of a flow definition. */
export interface FakeFields {
  [field: string]: unknown;
}

export interface FakeComponent {
  readonly kind: "processor" | "input-port" | "output-port" | "service";
  readonly id: string;
  readonly groupId: string;
  readonly fields: FakeFields;
  name: string;
  type: string;
  version: number;
  clientId: string | undefined;
  /** Scheduled to run; enabled if it is a service. */
  isOn: boolean;
  /** Names of sensitive properties that have a value, which NiFi never exports. */
  readonly secrets: Set<string>;
  isDisabled: boolean;
  /** How often NiFi has to be asked before it has validated the component. */
  validatingReads: number;
}

export interface FakeConnection {
  readonly id: string;
  readonly identifier: string;
  readonly sourceId: string;
  readonly destinationId: string;
  queued: number;
  isStuck: boolean;
}

/** A scheduling period with which the fake lets data pile up. */
export const rarely = "600 sec";

export const recordsIn = (fields: FakeFields, field: string): FakeFields[] =>
  Array.isArray(fields[field]) ? (fields[field] as FakeFields[]) : [];
export const stringIn = (fields: FakeFields, field: string): string => (typeof fields[field] === "string" ? fields[field] : "");

/** The content of one process group below the root. */
export class FakeContents {
  readonly groupId: string;
  contents: FakeFields;
  components: FakeComponent[] = [];
  connections: FakeConnection[] = [];

  constructor(groupId: string, contents: FakeFields) {
    this.groupId = groupId;
    this.contents = {};
    this.replace(contents);
  }

  /** Like NiFi, keeps the ids, states and data of what has the same identifier as before. */
  replace(contents: FakeFields): void {
    const before = new Map(this.components.map((one) => [identifierOf(one), one]));
    const queues = new Map(this.connections.map((one) => [one.identifier, one]));
    this.components = [];
    this.connections = [];
    this.contents = structuredClone(contents);
    this.#visit(this.contents, this.groupId, before, queues);
  }

  /** The first connection with data that other contents lack, which makes NiFi refuse them. */
  findOrphanedQueue(contents: FakeFields): FakeConnection | undefined {
    const kept = new Set(groupsIn(contents).flatMap((group) => recordsIn(group, "connections").map((one) => stringIn(one, "identifier"))));
    return this.connections.find(({ identifier, queued }) => queued > 0 && !kept.has(identifier));
  }

  get queued(): number {
    return this.connections.reduce((sum, { queued }) => sum + queued, 0);
  }

  get isRunning(): boolean {
    return this.components.some(({ kind, isOn }) => kind !== "service" && isOn);
  }

  /** Running components work off a part of their queues; data piles up before components that are scheduled rarely. */
  work(): void {
    for (const connection of this.connections) {
      const [source, destination] = [connection.sourceId, connection.destinationId].map((id) =>
        this.components.find((one) => one.id === id),
      );
      const isRare = stringIn(destination?.fields ?? {}, "schedulingPeriod") === rarely;
      if (isRare && source?.isOn === true) connection.queued += 1;
      else if (destination?.isOn === true && !connection.isStuck) connection.queued = Math.floor(connection.queued / 2);
    }
  }

  #visit(
    group: FakeFields,
    groupId: string,
    before: ReadonlyMap<string, FakeComponent>,
    queues: ReadonlyMap<string, FakeConnection>,
  ): void {
    const add = (kind: FakeComponent["kind"], fields: FakeFields): void => {
      const identifier = stringIn(fields, "identifier");
      const old = before.get(identifier);
      fields["identifier"] = identifier || randomUUID();
      fields["instanceIdentifier"] = old?.id ?? derivedId(groupId, stringIn(fields, "identifier"));
      fields["groupIdentifier"] = group["identifier"];
      const isDisabled = kind !== "service" && fields["scheduledState"] === "DISABLED";
      this.components.push({
        kind,
        id: stringIn(fields, "instanceIdentifier"),
        groupId,
        fields,
        name: stringIn(fields, "name"),
        type: stringIn(fields, "type"),
        version: old?.version ?? 0,
        clientId: old?.clientId,
        isOn: old?.isOn ?? false,
        secrets: old?.secrets ?? new Set(),
        isDisabled,
        validatingReads: old === undefined ? 1 : 0,
      });
    };
    for (const fields of recordsIn(group, "processors")) add("processor", fields);
    for (const fields of recordsIn(group, "inputPorts")) add("input-port", fields);
    for (const fields of recordsIn(group, "outputPorts")) add("output-port", fields);
    for (const fields of recordsIn(group, "controllerServices")) add("service", fields);
    for (const fields of recordsIn(group, "connections")) {
      const identifier = stringIn(fields, "identifier");
      const old = queues.get(identifier);
      const end = (field: string) => derivedEnd(this.components, fields[field] as FakeFields | undefined);
      this.connections.push({
        id: old?.id ?? derivedId(groupId, identifier),
        identifier,
        sourceId: end("source"),
        destinationId: end("destination"),
        queued: old?.queued ?? 0,
        isStuck: old?.isStuck ?? false,
      });
    }
    for (const inner of recordsIn(group, "processGroups")) {
      inner["instanceIdentifier"] = derivedId(groupId, stringIn(inner, "identifier"));
      this.#visit(inner, stringIn(inner, "instanceIdentifier"), before, queues);
    }
  }
}

export const groupsIn = (group: FakeFields): FakeFields[] => [group, ...recordsIn(group, "processGroups").flatMap(groupsIn)];

const identifierOf = ({ fields }: FakeComponent): string => stringIn(fields, "identifier");

const derivedEnd = (components: readonly FakeComponent[], end: FakeFields | undefined): string =>
  components.find((one) => identifierOf(one) === end?.["id"])?.id ?? "";

/** NiFi derives ids from those in the definition, too. */
function derivedId(...parts: string[]): string {
  const hex = createHash("sha256").update(parts.join("/")).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `3${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
