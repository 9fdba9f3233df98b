import type { Configuration, Ecosystem, TorchService } from "@fairway/contract/entity-schemas";
import { type EnabledEntities, enabledEntities } from "./enabled-entities.ts";
import type { EntityChanges } from "./entity-changes.ts";
import { storedTypes } from "./entity-types.ts";
import type { EntityStore } from "./store.ts";

/** Configuration by administrators that the portal applies at run time. */
export interface LiveConfiguration {
  /** The enabled configuration; undefined = only the operator's settings apply. */
  current(): Promise<Configuration | undefined>;
  torchServices(): Promise<readonly TorchService[]>;
  ecosystems(): Promise<readonly Ecosystem[]>;
  /** Calls the listener when the configuration may have changed. */
  onConfiguration(listener: () => void): void;
}

export function liveConfiguration(entities: Pick<EntityStore, "list">, changes: Pick<EntityChanges, "subscribe">): LiveConfiguration {
  const configurations = enabledEntities(entities, storedTypes.config);
  const torchServices = enabledEntities(entities, storedTypes["torch-service"]);
  const ecosystems = enabledEntities(entities, storedTypes.ecosystems);
  const byType = new Map<string, EnabledEntities<object>>([
    [storedTypes.config.name, configurations],
    [storedTypes["torch-service"].name, torchServices],
    [storedTypes.ecosystems.name, ecosystems],
  ]);
  const listeners: (() => void)[] = [];
  changes.subscribe((type) => {
    for (const [name, cached] of byType) if (type === undefined || type === name) cached.forget();
    if (type === undefined || type === storedTypes.config.name) for (const listener of listeners) listener();
  });
  return {
    current: async () => (await configurations.get())[0]?.body,
    torchServices: async () => (await torchServices.get()).map(({ body }) => body),
    ecosystems: async () => (await ecosystems.get()).map(({ body }) => body),
    onConfiguration: (listener) => void listeners.push(listener),
  };
}
