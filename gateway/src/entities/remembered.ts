import type { EntityType } from "./entity-types.ts";
import type { EntityStore, Stored } from "./store.ts";

/** Entities of a type as they are at this moment, without asking the database each time. */
export interface Remembered<Body> {
  /** The enabled ones. */
  enabled(): Promise<readonly Stored<Body>[]>;
  /** Drops what is remembered. */
  changed(): void;
}

/** How long at most, should the word of a change get lost. */
const rememberedMs = 5_000;

export function rememberedEntities<Body extends object>(entities: Pick<EntityStore, "list">, type: EntityType<Body>): Remembered<Body> {
  let known: { readonly list: Promise<readonly Stored<Body>[]>; readonly untilMs: number } | undefined;
  return {
    enabled: () => {
      if (known === undefined || known.untilMs < Date.now()) {
        const list = entities.list(type).then((all) => all.filter(({ enabled }) => enabled));
        const mine = { list, untilMs: Date.now() + rememberedMs };
        known = mine;
        list.catch(() => {
          if (known === mine) known = undefined;
        });
      }
      return known.list;
    },
    changed: () => {
      known = undefined;
    },
  };
}
