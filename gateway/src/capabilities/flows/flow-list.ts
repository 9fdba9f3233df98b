import { type Flow, flowLimits } from "@fairway/contract/flows";
import { type Kysely, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import { Refusal } from "#http/refusal.ts";
import type { Caller } from "./membership.ts";
import { needsReviewBy } from "./request-list.ts";

const selectFlows = (db: Kysely<Database>, group: string) =>
  db
    .selectFrom("flows")
    .select([
      "id",
      "name",
      sql<number>`(select count(*)::int from flow_requests where flow_id = flows.id and status in (0, 1))`.as("openRequests"),
      sql<Date | null>`(select accepted_at from flow_main_iterations where flow_id = flows.id order by number desc limit 1)`.as(
        "accepted_at",
      ),
    ])
    .where("group_name", "=", group);

const toFlow = ({ accepted_at: acceptedAt, ...flow }: Omit<Flow, "lastAcceptedMs"> & { accepted_at: Date | null }): Flow => ({
  ...flow,
  lastAcceptedMs: acceptedAt?.getTime() ?? null,
});

export async function flowsOf(db: Kysely<Database>, group: string): Promise<Flow[]> {
  const rows = await selectFlows(db, group)
    .orderBy(sql`name_key collate "C"`)
    .execute();
  return rows.map(toFlow);
}

/** Refuses with `not-found` a flow of another group. */
export async function requireFlow(db: Kysely<Database>, { group, flowId }: { group: string; flowId: number }): Promise<void> {
  const flow = await db.selectFrom("flows").select("id").where("id", "=", flowId).where("group_name", "=", group).executeTakeFirst();
  if (flow === undefined) throw new Refusal("not-found", "There is no such flow in this group.");
}

/** Refuses with `name-taken` and `no-room`. */
export async function createFlow(db: Kysely<Database>, group: string, name: string, user: Caller): Promise<Flow> {
  const requireRoom = async (trx: Kysely<Database>): Promise<void> => {
    const { count } = await trx
      .selectFrom("flows")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("group_name", "=", group)
      .executeTakeFirstOrThrow();
    if (count >= flowLimits.flowsPerGroup) {
      throw new Refusal("no-room", `The group has ${count.toLocaleString("en-US")} flows, as many as there can be.`);
    }
  };
  const insert = async (trx: Kysely<Database>): Promise<Flow> => {
    try {
      const values = { group_name: group, name, name_key: nameKey(name), created_by: user.username };
      const { id } = await trx.insertInto("flows").values(values).returning("id").executeTakeFirstOrThrow();
      return { id, name, openRequests: 0, lastAcceptedMs: null };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Refusal("name-taken", "The group already has a flow with this name.", { path: "name" });
    }
  };
  return countedInsert(db, { kind: "flows", owner: group, requireRoom, insert });
}

export interface OpenRequests {
  readonly open: number;
  readonly needsMyReview: number;
}

/** Counts of requests that are not final, by group; groups without any are missing. */
export async function openRequestsByGroup(
  db: Kysely<Database>,
  groups: readonly string[],
  userId: string,
): Promise<Map<string, OpenRequests>> {
  const rows = await db
    .selectFrom("flow_requests as request")
    .innerJoin("flows", "flows.id", "request.flow_id")
    .select([
      "flows.group_name",
      sql<number>`count(*)::int`.as("open"),
      sql<number>`(count(*) filter (where ${needsReviewBy(userId)}))::int`.as("needsMyReview"),
    ])
    .where(sql<boolean>`status in (0, 1)`)
    .where(sql<boolean>`flows.group_name = any(${groups}::text[])`)
    .groupBy("flows.group_name")
    .execute();
  return new Map(rows.map(({ group_name: group, ...counts }) => [group, counts]));
}
