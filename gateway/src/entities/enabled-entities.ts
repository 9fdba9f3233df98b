import { CachedRead } from "#process/cached-read.ts";
import type { EntityType } from "./entity-types.ts";
import type { EntityStore, Stored } from "./store.ts";

export type EnabledEntities<Body> = CachedRead<readonly Stored<Body>[]>;

/** Cached enabled entities of a type. */
export const enabledEntities = <Body extends object>(entities: Pick<EntityStore, "list">, type: EntityType<Body>): EnabledEntities<Body> =>
  new CachedRead(async () => (await entities.list(type)).filter(({ enabled }) => enabled));
