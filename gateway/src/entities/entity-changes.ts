import type { Notifications } from "#database/notifications.ts";
import { asPortal } from "#turns/caller.ts";
import { entitiesChannel } from "./store.ts";

/** Called with the type of an entity that changed on any gateway; with undefined if any type may have changed. */
type Listener = (type: string | undefined) => void;

/** Lets parts of this gateway clear their caches when entities change. */
export interface EntityChanges {
  subscribe(listener: Listener): void;
  /** Reports a change by this gateway right after its commit, before its NOTIFY arrives. */
  readonly report: (type: string) => void;
}

export async function openEntityChanges(notifications: Pick<Notifications, "on" | "onReconnect">): Promise<EntityChanges> {
  const listeners: Listener[] = [];
  const onEntitiesChanged = (type: string | undefined) => {
    asPortal(() => {
      for (const listener of listeners) listener(type);
    });
  };
  await notifications.on(entitiesChannel, onEntitiesChanged);
  notifications.onReconnect(() => onEntitiesChanged(undefined));
  return { subscribe: (listener) => void listeners.push(listener), report: onEntitiesChanged };
}
