import type { FlowEvent } from "@fairway/contract/flow-requests";
import type { flows as contract } from "@fairway/contract/flows";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { FlowParts } from "./flow-parts.ts";
import { createFlow, flowsOf, openRequestsByGroup, requireFlow } from "./flow-list.ts";
import { findIteration, findMainIteration, iterationsOf, mainIterationsOf } from "./iterations.ts";
import type { Caller } from "./membership.ts";
import { countRequests, listRequests } from "./request-list.ts";
import { findRequest, type RequestRef, toRequest } from "./requests.ts";

type Reads =
  | "groups"
  | "members"
  | "list"
  | "create"
  | "groupRequests"
  | "requestCounts"
  | "requests"
  | "request"
  | "iterations"
  | "iteration"
  | "events"
  | "mainIterations"
  | "mainIteration";

const maxMembers = 500;

const contentsIn = ({ content }: { content?: "true" | "false" | undefined }) =>
  content === "false" ? "without contents" : "with contents";

const noSuchIteration = () => new Refusal("not-found", "There is no such iteration.");

/** Groups and flows, and what is known of requests. */
export function readHandlers({ db, membership, selfAccept }: FlowParts): Pick<Handlers<typeof contract>, Reads> {
  const requireRequest = async (user: Caller, ref: RequestRef) => {
    await membership.require(user, ref.group);
    return findRequest(db, ref);
  };
  const requireFlowOf = async (user: Caller, ref: { group: string; flowId: number }) => {
    await membership.require(user, ref.group);
    await requireFlow(db, ref);
  };
  return {
    groups: async ({ user }) => {
      const groups = await membership.groupsOf(user);
      if (groups.length === 0) return [];
      const names = groups.map(({ name }) => name);
      const counts = await openRequestsByGroup(db, names, user.id);
      return groups.map(({ name, displayName, description }) => {
        const { open = 0, needsMyReview = 0 } = counts.get(name) ?? {};
        return { name, displayName, description, openRequests: open, needsMyReview };
      });
    },
    members: async ({ user, params: { group } }) => {
      await membership.require(user, group);
      const members = await membership.members(group);
      return members
        .slice(0, maxMembers)
        .map(({ username, firstName, lastName }) => ({ username, name: [firstName, lastName].filter(Boolean).join(" ") }));
    },
    list: async ({ user, params: { group } }) => {
      await membership.require(user, group);
      return flowsOf(db, group);
    },
    create: async ({ user, params: { group }, body: { name } }) => {
      await membership.require(user, group);
      return createFlow(db, group, name, user);
    },
    groupRequests: async ({ user, params, query }) => {
      const group = await membership.require(user, params.group);
      return listRequests(db, { group }, query, user, selfAccept);
    },
    requestCounts: async ({ user, params, query }) => {
      const group = await membership.require(user, params.group);
      return countRequests(db, { group }, query, user.id);
    },
    requests: async ({ user, params, query }) => {
      const group = await membership.require(user, params.group);
      await requireFlow(db, params);
      return listRequests(db, { group, flowId: params.flowId }, query, user, selfAccept);
    },
    request: async ({ user, params }) => toRequest(await requireRequest(user, params), user, selfAccept),
    iterations: async ({ user, params, query }) => {
      const { id } = await requireRequest(user, params);
      return iterationsOf(db, id, contentsIn(query));
    },
    iteration: async ({ user, params }) => {
      const { id } = await requireRequest(user, params);
      const iteration = await findIteration(db, id, params.iterationId);
      if (iteration === undefined) throw noSuchIteration();
      return iteration;
    },
    events: async ({ user, params }) => {
      const { id } = await requireRequest(user, params);
      const rows = await db.selectFrom("flow_events").selectAll().where("request_id", "=", id).orderBy("id").execute();
      return rows.map((row): FlowEvent => ({
        id: row.id,
        kind: row.kind,
        username: row.username,
        timeMs: row.at.getTime(),
        iterationId: row.iteration_id,
        subject: row.subject,
      }));
    },
    mainIterations: async ({ user, params, query }) => {
      await requireFlowOf(user, params);
      return mainIterationsOf(db, params.flowId, contentsIn(query));
    },
    mainIteration: async ({ user, params }) => {
      await requireFlowOf(user, params);
      const found = await findMainIteration(db, params.flowId, params.iterationId);
      if (found === undefined) throw noSuchIteration();
      return found;
    },
  };
}
