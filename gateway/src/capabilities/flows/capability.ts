import "./tables.ts";
import { flows as contract } from "@fairway/contract/flows";
import type { Limits } from "@fairway/contract/limits";
import { type Kysely, sql } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import type { EntityStore } from "#entities/store.ts";
import type { FlowGroupRecipe } from "@fairway/contract/recipes";
import type { Notifier } from "#personal/notify.ts";
import { changeHandlers } from "./change-handlers.ts";
import { commentHandlers } from "./comment-handlers.ts";
import { FlowContents } from "./contents.ts";
import {
  type FoundIteration,
  findAcceptedIteration,
  findAnyIteration,
  type LocatedIteration,
  locateAcceptedIteration,
  locateAnyIteration,
} from "./found-iterations.ts";
import { type Caller, Membership } from "./membership.ts";
import { FlowNotifications } from "./notifications.ts";
import { readHandlers } from "./read-handlers.ts";
import { insertEvent, selectRequests } from "./requests.ts";
import { seedFlows } from "./seed-flows.ts";

interface LocatedFlow {
  readonly id: number;
  readonly name: string;
  readonly group: string;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "list">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly notifier: Notifier;
  /** Whether administrators may accept requests that they created. */
  readonly selfAccept: boolean;
  readonly limits: Pick<Limits, "userDailyFlowBytes">;
}

/** The part of flows that other capabilities use. */
export interface Flows extends Capability {
  /** Undefined for an iteration that the user may not know of. Without a user, every iteration is found. */
  findIteration(user: Caller | null, iterationId: number): Promise<FoundIteration | undefined>;
  /** The newest iteration of the flow's main history. */
  acceptedIteration(flowId: number): Promise<FoundIteration | undefined>;
  /** The same without the content. */
  locateIteration(user: Caller, iterationId: number): Promise<LocatedIteration | undefined>;
  locateAcceptedIteration(flowId: number): Promise<LocatedIteration | undefined>;
  isMember(user: Caller, group: string): Promise<boolean>;
  /** Whether there is such a flow, as far as the user may know. */
  hasFlow(user: Caller, flowId: number): Promise<boolean>;
  /** Those of the flows that the user may know of. */
  locateFlows(user: Caller, flowIds: readonly number[]): Promise<LocatedFlow[]>;
  /** Records a deployment in the timeline of the request, and notifies its author. */
  recordDeployed(iterationId: number, username: string, environmentName: string): Promise<void>;
  /** Fills groups that have no flows yet. Notifies nobody. */
  seed(groups: readonly FlowGroupRecipe[]): Promise<void>;
}

/** Requests to change data flows, their iterations, comments and statuses. Decisions 0450, 0451 and 0453. */
export function openFlows({ db, entities, entityChanges, notifier, selfAccept, limits }: Parts): Flows {
  const membership = new Membership({ db, entities, entityChanges });
  const notifications = new FlowNotifications(notifier, (group) => membership.members(group));
  const contents = new FlowContents();
  const parts = { db, selfAccept, membership, notifications, contents, userDailyFlowBytes: limits.userDailyFlowBytes };
  const handlers = { ...readHandlers(parts), ...changeHandlers(parts), ...commentHandlers(parts) };
  const silent = new FlowNotifications({ notify: async () => undefined, retract: async () => undefined }, async () => []);
  return {
    routes: { flows: implement(contract, handlers) },
    seed: async (groups) => {
      const quiet = { ...parts, selfAccept: true, notifications: silent };
      const seeding = { ...readHandlers(quiet), ...changeHandlers(quiet), ...commentHandlers(quiet) };
      await seedFlows({ db, membership, handlers: seeding }, groups);
    },
    findIteration: async (user, iterationId) => {
      const found = await findAnyIteration(db, iterationId);
      if (found === undefined || user === null) return found;
      return (await membership.isMember(user, found.group)) ? found : undefined;
    },
    acceptedIteration: (flowId) => findAcceptedIteration(db, flowId),
    locateIteration: async (user, iterationId) => {
      const found = await locateAnyIteration(db, iterationId);
      return found !== undefined && (await membership.isMember(user, found.group)) ? found : undefined;
    },
    locateAcceptedIteration: (flowId) => locateAcceptedIteration(db, flowId),
    isMember: (user, group) => membership.isMember(user, group),
    hasFlow: async (user, flowId) => {
      const flow = await db.selectFrom("flows").select("group_name").where("id", "=", flowId).executeTakeFirst();
      return flow !== undefined && (await membership.isMember(user, flow.group_name));
    },
    locateFlows: async (user, flowIds) => {
      const groups = (await membership.groupsOf(user)).map(({ name }) => name);
      return db
        .selectFrom("flows")
        .select(["id", "name", "group_name as group"])
        .where(sql<boolean>`id = any(${flowIds}::integer[])`)
        .where(sql<boolean>`group_name = any(${groups}::text[])`)
        .execute();
    },
    recordDeployed: async (iterationId, username, environmentName) => {
      const row = await selectRequests(db)
        .where("request.id", "=", (iterations) =>
          iterations.selectFrom("flow_iterations").select("request_id").where("id", "=", iterationId),
        )
        .executeTakeFirst();
      if (row === undefined) return;
      await insertEvent(db, row.id, { kind: "deployed", username, iterationId, subject: environmentName });
      await notifications.send(row, { username }, "author", {
        title: `Flow request deployed: ${row.name}`,
        text: `${username} deployed your request to change ${row.flow_name} to ${environmentName}.`,
      });
    },
    close: () => contents.close(),
  };
}
