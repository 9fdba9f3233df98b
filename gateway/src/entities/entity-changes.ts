import type { Notifications } from "#database/notifications.ts";
import { entitiesChannel } from "./store.ts";

/** Called with the type of the changed entity, on whichever gateway it changed; with undefined when any type may have changed. */
type Listener = (type: string | undefined) => void;

/** Tells the parts of this gateway to drop what they cached of an entity type. */
export interface EntityChanges {
  subscribe(listener: Listener): void;
  /** Reports a change made by this gateway right after its commit. Its NOTIFY arrives later. */
  readonly report: (type: string) => void;
}

export async function openEntityChanges(notifications: Pick<Notifications, "on" | "onReconnect">): Promise<EntityChanges> {
  const listeners: Listener[] = [];
  const onEntitiesChanged = (type: string | undefined) => {
    for (const listener of listeners) listener(type);
  };
  await notifications.on(entitiesChannel, onEntitiesChanged);
  notifications.onReconnect(() => onEntitiesChanged(undefined));
  return { subscribe: (listener) => void listeners.push(listener), report: onEntitiesChanged };
}
