import { type FlowEvent, type FlowRequest, flowRequestStatus, isFinal } from "@fairway/contract/flow-requests";
import { flowLimits } from "@fairway/contract/flows";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { PackedContent } from "./contents.ts";
import { type Caller, isAdmin } from "./membership.ts";

/** A request as its path names it. */
export interface RequestRef {
  readonly group: string;
  readonly flowId: number;
  readonly requestId: number;
}

export type RequestRow = Awaited<ReturnType<ReturnType<typeof selectRequests>["executeTakeFirstOrThrow"]>>;

/** Call it on a request that `lockRequest` has locked, or after its transaction. */
export const selectRequests = (db: Kysely<Database>) =>
  db
    .selectFrom("flow_requests as request")
    .innerJoin("flows as flow", "flow.id", "request.flow_id")
    .innerJoin("flow_iterations as last", (join) =>
      join.onRef("last.request_id", "=", "request.id").onRef("last.number", "=", "request.iterations"),
    )
    .select([
      "request.id",
      "request.name",
      "request.reason",
      "request.flow_id",
      "flow.name as flow_name",
      "flow.group_name",
      "request.status",
      "request.creator_id",
      "request.creator_username",
      "request.reviewer_id",
      "request.reviewer_username",
      "request.iterations",
      "last.id as last_iteration_id",
      "request.comments",
      "request.created_at",
      "request.updated_at",
    ]);

export function toRequest(row: RequestRow, user: Caller, selfAccept: boolean): FlowRequest {
  const isOwn = row.creator_id === user.id;
  const isReviewable = row.reviewer_id === null || row.reviewer_id === user.id;
  return {
    id: row.id,
    name: row.name,
    reason: row.reason,
    flowId: row.flow_id,
    flowName: row.flow_name,
    status: row.status,
    createdDateMs: row.created_at.getTime(),
    lastUpdatedMs: row.updated_at.getTime(),
    creatorUsername: row.creator_username,
    reviewerUsername: row.reviewer_username,
    iterations: row.iterations,
    lastIterationId: row.last_iteration_id,
    comments: row.comments,
    isOwn,
    needsMyReview: row.status === flowRequestStatus.readyForReview && !isOwn && isReviewable,
    canDecide: isAdmin(user) && !isFinal(row.status) && (selfAccept || !isOwn),
  };
}

export const noSuchRequest = (): Refusal => new Refusal("not-found", "There is no such flow request.");

/** Refuses with `not-found` a request that is not at its path. */
export async function findRequest(db: Kysely<Database>, { group, flowId, requestId }: RequestRef): Promise<RequestRow> {
  const row = await selectRequests(db)
    .where("request.id", "=", requestId)
    .where("request.flow_id", "=", flowId)
    .where("flow.group_name", "=", group)
    .executeTakeFirst();
  if (row === undefined) throw noSuchRequest();
  return row;
}

/** Locks the request until the end of the transaction. Refuses with `not-found`. */
export async function lockRequest(trx: Transaction<Database>, ref: RequestRef): Promise<RequestRow> {
  // Without joins: after waiting for the lock, PostgreSQL would still see their old rows.
  await trx
    .selectFrom("flow_requests")
    .select("id")
    .where("id", "=", ref.requestId)
    .where("flow_id", "=", (flows) =>
      flows.selectFrom("flows").select("id").where("id", "=", ref.flowId).where("group_name", "=", ref.group),
    )
    .forNoKeyUpdate()
    .execute();
  return findRequest(trx, ref);
}

interface NewIteration extends PackedContent {
  readonly reason: string;
}

/** Creates a request with its first iteration. Refuses with `no-room`. */
export async function insertRequest(
  trx: Transaction<Database>,
  flowId: number,
  user: Caller,
  { name, reason, iteration }: { name: string; reason: string; iteration: NewIteration },
): Promise<number> {
  // One after another, so that they cannot exceed the limit together.
  await trx.selectFrom("flows").select("id").where("id", "=", flowId).forNoKeyUpdate().execute();
  const { all, open } = await trx
    .selectFrom("flow_requests")
    .select([sql<number>`count(*)::int`.as("all"), sql<number>`(count(*) filter (where status in (0, 1)))::int`.as("open")])
    .where("flow_id", "=", flowId)
    .executeTakeFirstOrThrow();
  if (all >= flowLimits.requestsPerFlow) {
    throw new Refusal("no-room", `The flow has ${all.toLocaleString("en-US")} requests, as many as there can be. Create another flow.`);
  }
  if (open >= flowLimits.openRequestsPerFlow) {
    throw new Refusal("no-room", `The flow has ${open} open requests, as many as there can be. Finish or abandon one first.`);
  }
  const { id } = await trx
    .insertInto("flow_requests")
    .values({ flow_id: flowId, name, reason, creator_id: user.id, creator_username: user.username, iterations: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  const iterationId = await insertIteration(trx, { requestId: id, number: 1 }, user, iteration);
  await insertEvent(trx, id, { kind: "created", username: user.username, iterationId });
  return id;
}

export async function insertIteration(
  trx: Transaction<Database>,
  { requestId, number }: { requestId: number; number: number },
  user: Caller,
  iteration: NewIteration,
): Promise<number> {
  const { id } = await trx
    .insertInto("flow_iterations")
    .values({ request_id: requestId, number, creator_id: user.id, creator_username: user.username, ...iteration })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertEvent(
  trx: Kysely<Database>,
  requestId: number,
  {
    kind,
    username,
    iterationId = null,
    subject = "",
  }: Pick<FlowEvent, "kind" | "username"> & Partial<Pick<FlowEvent, "iterationId" | "subject">>,
): Promise<void> {
  await trx.insertInto("flow_events").values({ request_id: requestId, kind, username, iteration_id: iterationId, subject }).execute();
}

/** Refuses with `no-room` what would exceed the user's limit of 24 hours. */
export async function requireDailyRoom(trx: Transaction<Database>, user: Caller, bytes: number, maxBytes: number): Promise<void> {
  // One upload of the user after another, so that they cannot exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`flow-bytes:${user.id}`}, 0))`.execute(trx);
  const { added } = await trx
    .selectFrom("flow_iterations")
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as("added"))
    .where("creator_id", "=", user.id)
    .where("created_at", ">", sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  if (added + bytes > maxBytes) {
    throw new Refusal("no-room", `You may add ${maxBytes.toLocaleString("en-US")} bytes of flows within 24 hours. Try again later.`);
  }
}

/** Refuses with `no-room`. For events that members can cause without end. */
export async function requireEventRoom(trx: Transaction<Database>, requestId: number): Promise<void> {
  const { count } = await trx
    .selectFrom("flow_events")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("request_id", "=", requestId)
    .executeTakeFirstOrThrow();
  if (count >= flowLimits.eventsPerRequest) throw new Refusal("no-room", "The request has changed its reviewer too often.");
}

/** Changes a locked request. */
export async function updateRequest(
  trx: Transaction<Database>,
  requestId: number,
  change: { status?: number; iterations?: number; reviewer_id?: string | null; reviewer_username?: string | null } = {},
): Promise<void> {
  await trx
    .updateTable("flow_requests")
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", requestId)
    .execute();
}
