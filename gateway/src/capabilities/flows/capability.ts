import "./tables.ts";
import { flows as contract } from "@fairway/contract/flows";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import type { EntityStore } from "#entities/store.ts";
import type { FlowGroupRecipe } from "#flow-recipe.ts";
import type { Notifier } from "#personal/notify.ts";
import { changeHandlers } from "./change-handlers.ts";
import { commentHandlers } from "./comment-handlers.ts";
import { Membership } from "./membership.ts";
import { FlowNotifications } from "./notifications.ts";
import { readHandlers } from "./read-handlers.ts";
import { seedFlows } from "./seed-flows.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "list">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly notifier: Notifier;
  /** Whether administrators may accept requests that they created. */
  readonly selfAccept: boolean;
}

interface Flows extends Capability {
  /** Fills groups that have no flows yet. Notifies nobody. */
  seed(groups: readonly FlowGroupRecipe[]): Promise<void>;
}

/** Requests to change data flows, their iterations, comments and statuses. Decisions 0450, 0451 and 0453. */
export function openFlows({ db, entities, entityChanges, notifier, selfAccept }: Parts): Flows {
  const membership = new Membership({ db, entities, entityChanges });
  const notifications = new FlowNotifications(notifier, (group) => membership.members(group));
  const parts = { db, selfAccept, membership, notifications };
  const handlers = { ...readHandlers(parts), ...changeHandlers(parts), ...commentHandlers(parts) };
  const silent = new FlowNotifications({ notify: async () => undefined, retract: async () => undefined }, async () => []);
  return {
    routes: { flows: implement(contract, handlers) },
    seed: async (groups) => {
      const quiet = { db, selfAccept: true, membership, notifications: silent };
      const seeding = { ...readHandlers(quiet), ...changeHandlers(quiet), ...commentHandlers(quiet) };
      await seedFlows({ db, membership, handlers: seeding }, groups);
    },
  };
}
