import type { Configuration, Ecosystem, TorchService } from "@fairway/contract/configured";
import * as types from "#entities/entity-types.ts";
import { type EnabledEntities, enabledEntities } from "#entities/enabled-entities.ts";
import type { EntityStore } from "#entities/store.ts";

/** What administrators configure and the portal follows while it runs. */
export interface LiveConfiguration {
  /** The enabled one; undefined: the operator's settings alone. */
  current(): Promise<Configuration | undefined>;
  torchServices(): Promise<readonly TorchService[]>;
  ecosystems(): Promise<readonly Ecosystem[]>;
  /** An entity of this type has changed, at any gateway; undefined: any may have. */
  changed(type: string | undefined): void;
  /** Calls `hear` when another configuration may count. */
  onConfiguration(hear: () => void): void;
}

export function liveConfiguration(entities: Pick<EntityStore, "list">): LiveConfiguration {
  const configurations = enabledEntities(entities, types.configurations);
  const torchServices = enabledEntities(entities, types.torchServices);
  const ecosystems = enabledEntities(entities, types.ecosystems);
  const byType = new Map<string, EnabledEntities<object>>([
    [types.configurations.name, configurations],
    [types.torchServices.name, torchServices],
    [types.ecosystems.name, ecosystems],
  ]);
  const hearers: (() => void)[] = [];
  return {
    current: async () => (await configurations.get())[0]?.body,
    torchServices: async () => (await torchServices.get()).map(({ body }) => body),
    ecosystems: async () => (await ecosystems.get()).map(({ body }) => body),
    changed: (type) => {
      for (const [name, cached] of byType) if (type === undefined || type === name) cached.forget();
      if (type === undefined || type === types.configurations.name) for (const hear of hearers) hear();
    },
    onConfiguration: (hear) => void hearers.push(hear),
  };
}
