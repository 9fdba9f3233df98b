import { type FlowRequest, flowRequestStatus } from "@fairway/contract/flow-requests";
import type { FlowRequestCounts, FlowRequestsQuery } from "@fairway/contract/flows";
import { type Expression, type Kysely, sql, type SqlBool } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Caller } from "./membership.ts";
import { selectRequests, toRequest } from "./requests.ts";

/** The requests of a group, or of one of its flows. */
export interface RequestsScope {
  readonly group: { readonly name: string; readonly displayName: string };
  readonly flowId?: number;
}

type Filter = Pick<FlowRequestsQuery, "state" | "status" | "search">;

const defaultPageRows = 100;

/** A request of `flow_requests as request` that is ready for a review by the user, as `toRequest` defines it. */
export const needsReviewBy = (userId: string) =>
  sql<boolean>`(request.status = ${flowRequestStatus.readyForReview} and request.creator_id <> ${userId}
    and (request.reviewer_id is null or request.reviewer_id = ${userId}))`;

const isBy = (userId: string) => sql<boolean>`request.creator_id = ${userId}`;

/** Those that match. By creation time, or a page with the newest first. */
export async function listRequests(
  db: Kysely<Database>,
  scope: RequestsScope,
  { show = "all", limit, before, ...filter }: FlowRequestsQuery,
  user: Caller,
  selfAccept: boolean,
): Promise<FlowRequest[]> {
  const isPage = limit !== undefined || before !== undefined;
  const rows = await selectRequests(db)
    .where((all) => all.and(conditions(scope, filter)))
    .$if(show === "review", (query) => query.where(needsReviewBy(user.id)))
    .$if(show === "mine", (query) => query.where(isBy(user.id)))
    .$if(before !== undefined, (query) => query.where("request.id", "<", before ?? 0))
    .orderBy("request.id", isPage ? "desc" : "asc")
    .$if(isPage, (query) => query.limit(limit ?? defaultPageRows))
    .execute();
  return rows.map((row) => toRequest(row, user, selfAccept));
}

export async function countRequests(
  db: Kysely<Database>,
  scope: RequestsScope,
  filter: Filter,
  userId: string,
): Promise<FlowRequestCounts> {
  return db
    .selectFrom("flow_requests as request")
    .innerJoin("flows as flow", "flow.id", "request.flow_id")
    .select([
      sql<number>`count(*)::int`.as("all"),
      sql<number>`(count(*) filter (where ${needsReviewBy(userId)}))::int`.as("review"),
      sql<number>`(count(*) filter (where ${isBy(userId)}))::int`.as("mine"),
    ])
    .where((all) => all.and(conditions(scope, filter)))
    .executeTakeFirstOrThrow();
}

function conditions({ group, flowId }: RequestsScope, { state = "all", status, search = "" }: Filter): Expression<SqlBool>[] {
  return [
    sql<boolean>`flow.group_name = ${group.name}`,
    ...(flowId === undefined ? [] : [sql<boolean>`request.flow_id = ${flowId}`]),
    ...(state === "open" ? [sql<boolean>`request.status in (0, 1)`] : []),
    ...(state === "closed" ? [sql<boolean>`request.status not in (0, 1)`] : []),
    ...(status === undefined ? [] : [sql<boolean>`request.status = ${status}`]),
    ...search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "" && !group.displayName.toLowerCase().includes(word))
      .map(
        (word) => sql<boolean>`(strpos(lower(request.name), ${word}) > 0 or strpos(lower(flow.name), ${word}) > 0
          or strpos(lower(request.creator_username), ${word}) > 0)`,
      ),
  ];
}
