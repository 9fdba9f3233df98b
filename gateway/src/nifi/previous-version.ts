import type { NifiClient } from "./client.ts";
import { type FlowDefinition, identifiersByInstance, readDefinition } from "./flow-content.ts";
import { downloadDefinition, groupPath } from "./process-groups.ts";
import { processorEntities } from "./protocol.ts";
import { type RunState, type RunningComponent, isInvalid, isRunning, readRunState, readServices } from "./running.ts";

/** State of NiFi before a deployment, as far as it is needed to restore it. Identifiers survive replacing the content. */
export interface PreviousVersion {
  readonly groupId: string;
  /** As NiFi exports it. */
  readonly exported: string;
  readonly definition: FlowDefinition;
  readonly state: RunState;
  /** Identifiers of the components that run. */
  readonly running: ReadonlySet<string>;
  /** Identifiers of the components that are invalid. */
  readonly invalid: ReadonlySet<string>;
  /** Sensitive values that are set, as `component: property` by a key that survives replacing the content. */
  readonly sensitive: ReadonlyMap<string, string>;
}

export async function readPreviousVersion(client: NifiClient, groupId: string): Promise<PreviousVersion> {
  const exported = await downloadDefinition(client, groupId);
  const definition = readDefinition(exported);
  const state = await readRunState(client, groupId);
  const identifiers = identifiersByInstance(definition);
  const identifiersOf = (components: readonly RunningComponent[]) => new Set(components.map(({ id }) => identifiers.get(id) ?? id));
  return {
    groupId,
    exported,
    definition,
    state,
    running: identifiersOf(state.components.filter(isRunning)),
    invalid: identifiersOf(state.components.filter(isInvalid)),
    sensitive: await readSensitive(client, groupId, identifiers),
  };
}

/** The sensitive values that a group does not have any more, because NiFi never exports them; as `component: property`. */
export async function lostSensitiveValues(client: NifiClient, { groupId, sensitive }: PreviousVersion): Promise<string[]> {
  if (sensitive.size === 0) return [];
  const identifiers = identifiersByInstance(readDefinition(await downloadDefinition(client, groupId)));
  const left = await readSensitive(client, groupId, identifiers);
  return [...sensitive].flatMap(([key, name]) => (left.has(key) ? [] : [name]));
}

async function readSensitive(client: NifiClient, groupId: string, identifiers: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const path = `${groupPath(groupId)}/processors?includeDescendantGroups=true`;
  const { processors } = await client.json(processorEntities, { method: "GET", path });
  const services = await readServices(client, groupId);
  const configured = [
    ...processors.map(({ id, component }) => ({ id, name: component?.name ?? id, config: component?.config })),
    ...services.map(({ id, component }) => ({ id, name: component?.name ?? id, config: component })),
  ];
  const values = new Map<string, string>();
  for (const { id, name, config } of configured) {
    for (const [property, value] of Object.entries(config?.properties ?? {})) {
      if (value === null || config?.descriptors?.[property]?.sensitive !== true) continue;
      values.set(`${identifiers.get(id) ?? id} ${property}`, `${name}: ${property}`);
    }
  }
  return values;
}
