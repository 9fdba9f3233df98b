import type { FlowRequest } from "@fairway/contract/flow-requests";
import { flowLimits, type flows as contract } from "@fairway/contract/flows";
import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { FlowParts } from "./flow-parts.ts";
import { insertComment } from "./comments.ts";
import { requireFlow } from "./flow-list.ts";
import { findIteration } from "./iterations.ts";
import { type Caller, type Member } from "./membership.ts";
import { mentionsIn } from "./mentions.ts";
import { mentionMessage, topicOf } from "./notifications.ts";
import {
  findRequest,
  insertEvent,
  insertIteration,
  insertRequest,
  lockRequest,
  noSuchRequest,
  requireDailyRoom,
  requireEventRoom,
  type RequestRef,
  type RequestRow,
  selectRequests,
  toRequest,
  updateRequest,
} from "./requests.ts";
import { type StatusChange, statusChanges, statusProblem } from "./status-changes.ts";

type Changes = "createRequest" | "createIteration" | "submit" | "abandon" | "accept" | "reject" | "review";

/** The state that the caller has seen of a request, and a comment on the change. */
interface StatusBody {
  readonly comment?: string | undefined;
  readonly expectedStatus?: number | undefined;
  readonly expectedIterationId?: number | undefined;
}

const hasChanged = "The request has changed since you read it.";

/** Everything that changes a request, other than comments. */
export function changeHandlers({
  db,
  membership,
  notifications,
  contents,
  selfAccept,
  userDailyFlowBytes,
}: FlowParts): Pick<Handlers<typeof contract>, Changes> {
  const conflict = (row: RequestRow, user: Caller, message: string) =>
    new Refusal("conflict", message, { current: toRequest(row, user, selfAccept) });

  /** Runs the change on the locked request. */
  const change = (ref: RequestRef, work: (trx: Transaction<Database>, row: RequestRow) => Promise<void>): Promise<RequestRow> =>
    db.transaction().execute(async (trx) => {
      await work(trx, await lockRequest(trx, ref));
      return findRequest(trx, ref);
    });

  const changeStatus = async (
    user: Caller,
    ref: RequestRef,
    { kind, status }: StatusChange,
    body: StatusBody = {},
  ): Promise<FlowRequest> => {
    await membership.require(user, ref.group);
    const text = body.comment?.trim() ? body.comment : undefined;
    const mentioned = text === undefined ? [] : mentionsIn(text, await membership.members(ref.group));
    const row = await change(ref, async (trx, before) => {
      requireSeen(before, user, body);
      const problem = statusProblem(before.status, kind);
      if (problem !== undefined) throw conflict(before, user, problem);
      if (kind === "accepted") {
        if (!selfAccept && before.creator_id === user.id) {
          throw new Refusal("forbidden", "On this portal, someone else has to accept a request that you created.");
        }
        await insertMainIteration(trx, before, user);
      }
      await updateRequest(trx, before.id, { status });
      await insertEvent(trx, before.id, { kind, username: user.username, iterationId: before.last_iteration_id });
      if (text !== undefined) await insertComment(trx, before.id, user, { text, mentions: mentioned.map(({ username }) => username) });
    });
    await notifyOfStatus(user, row, kind, text, mentioned);
    return toRequest(row, user, selfAccept);
  };

  const requireSeen = (row: RequestRow, user: Caller, { expectedStatus, expectedIterationId }: StatusBody): void => {
    const isSeen =
      (expectedStatus === undefined || expectedStatus === row.status) &&
      (expectedIterationId === undefined || expectedIterationId === row.last_iteration_id);
    if (!isSeen) throw conflict(row, user, hasChanged);
  };

  /** Called before the content is checked, which may take seconds, and again on the locked request. */
  const requireIterable = (row: RequestRow, user: Caller): void => {
    const problem = statusProblem(row.status, "iteration");
    if (problem !== undefined) throw conflict(row, user, problem);
    if (row.iterations >= flowLimits.iterationsPerRequest) {
      throw new Refusal("no-room", `The request has ${row.iterations} iterations, as many as there can be.`);
    }
  };

  const notifyOfStatus = async (
    user: Caller,
    row: RequestRow,
    kind: StatusChange["kind"],
    text = "",
    mentioned: readonly Member[] = [],
  ) => {
    if (kind === "submitted") {
      await notifications.send(row, user, "reviewer", {
        title: `Flow request to review: ${row.name}`,
        // The submitter's comment takes precedence over the reason that the request was created with.
        text: withComment(`${user.username} submitted a request to change ${row.flow_name}.`, text === "" ? row.reason : text),
        topic: topicOf(row.id, "review"),
      });
    } else {
      await notifications.retractReview(row.id);
      await notifications.send(row, user, "author", {
        title: `Flow request ${kind}: ${row.name}`,
        text: withComment(`${user.username} ${kind} your request to change ${row.flow_name}.`, text),
      });
    }
    await notifications.send(
      row,
      user,
      mentioned.map(({ id }) => id),
      mentionMessage(user, row, text),
    );
  };

  /** The path of a request that administrators name by its id alone. */
  const refOf = async (requestId: number): Promise<RequestRef> => {
    const row = await selectRequests(db).where("request.id", "=", requestId).executeTakeFirst();
    if (row === undefined) throw noSuchRequest();
    return { group: row.group_name, flowId: row.flow_id, requestId };
  };

  return {
    createRequest: async ({ user, params, body: { name, reason = "", iterations }, signal }) => {
      await membership.require(user, params.group);
      await requireFlow(db, params);
      const [first] = iterations;
      const content = await contents.pack(first?.content ?? "", "iterations.0.content", { signal, owner: user.id });
      return db.transaction().execute(async (trx) => {
        await requireDailyRoom(trx, user, content.bytes, userDailyFlowBytes);
        const iteration = { ...content, reason: first?.reason?.trim() ?? "" };
        const requestId = await insertRequest(trx, params.flowId, user, { name, reason: reason.trim(), iteration });
        return toRequest(await findRequest(trx, { ...params, requestId }), user, selfAccept);
      });
    },
    createIteration: async ({ user, params, body, signal }) => {
      const reason = body.reason?.trim() ?? "";
      await membership.require(user, params.group);
      requireIterable(await findRequest(db, params), user);
      const content = await contents.pack(body.content, "content", { signal, owner: user.id });
      const row = await change(params, async (trx, before) => {
        requireIterable(before, user);
        await requireDailyRoom(trx, user, content.bytes, userDailyFlowBytes);
        const number = before.iterations + 1;
        const iterationId = await insertIteration(trx, { requestId: before.id, number }, user, { ...content, reason });
        await updateRequest(trx, before.id, { iterations: number });
        await insertEvent(trx, before.id, { kind: "iteration", username: user.username, iterationId });
      });
      await notifications.send(row, user, "reviewer", {
        title: `New iteration of a flow request: ${row.name}`,
        text: withComment(`${user.username} added iteration ${row.iterations} to a request to change ${row.flow_name}.`, reason),
        topic: topicOf(row.id, "review"),
      });
      const iteration = await findIteration(db, row.id, row.last_iteration_id);
      if (iteration === undefined) throw noSuchRequest();
      return iteration;
    },
    submit: ({ user, params, body }) => changeStatus(user, params, statusChanges.submit, body),
    abandon: ({ user, params, body }) => changeStatus(user, params, statusChanges.abandon, body),
    accept: async ({ user, params, body }) => changeStatus(user, await refOf(params.id), statusChanges.accept, body),
    reject: async ({ user, params, body }) => changeStatus(user, await refOf(params.id), statusChanges.reject, body),
    review: async ({ user, params, body }) => {
      await membership.require(user, params.group);
      const reviewer = body.isReviewer ? user : undefined;
      let isChanged = false;
      const row = await change(params, async (trx, before) => {
        const problem = statusProblem(before.status, "reviewer");
        if (problem !== undefined) throw conflict(before, user, problem);
        if (before.creator_id === user.id) throw new Refusal("forbidden", "You created this request; someone else has to review it.");
        const { expectedReviewerUsername: expected } = body;
        if (expected !== undefined && expected !== before.reviewer_username) throw conflict(before, user, hasChanged);
        const isReviewer = before.reviewer_id === user.id;
        if (isReviewer === body.isReviewer) return;
        isChanged = true;
        await requireEventRoom(trx, before.id);
        await updateRequest(trx, before.id, { reviewer_id: reviewer?.id ?? null, reviewer_username: reviewer?.username ?? null });
        await insertEvent(trx, before.id, { kind: "reviewer", username: user.username, subject: reviewer?.username ?? "" });
      });
      if (isChanged && reviewer !== undefined) {
        await notifications.send(row, user, "author", {
          title: `Flow request under review: ${row.name}`,
          text: `${user.username} reviews your request to change ${row.flow_name}.`,
        });
      }
      return toRequest(row, user, selfAccept);
    },
  };
}

/** Accepted iterations are in the order in which they were accepted, because the flow is locked. */
async function insertMainIteration(trx: Transaction<Database>, row: RequestRow, user: Caller): Promise<void> {
  await trx.selectFrom("flows").select("id").where("id", "=", row.flow_id).forNoKeyUpdate().execute();
  await trx
    .insertInto("flow_main_iterations")
    .values({ flow_id: row.flow_id, iteration_id: row.last_iteration_id, accepted_by: user.username })
    .execute();
}

const withComment = (sentence: string, comment: string): string => (comment === "" ? sentence : `${sentence}\n${comment}`);
