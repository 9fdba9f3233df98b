import { z } from "zod";
import { passesRole } from "./access.ts";
import { flowComment, flowEvent, flowIteration, flowPartId, flowRequest, mainIteration } from "./flow-requests.ts";
import { route } from "./route.ts";
import { newName, requiredProse, prose } from "./text.ts";

/** Largest content of a flow, in bytes of UTF-8. */
export const flowContentBytes = 5_000_000;

/** More than this is refused with `no-room`. */
export const flowLimits = {
  nameCharacters: 200,
  commentCharacters: 10_000,
  /** Of a request or an iteration. */
  reasonCharacters: 2_000,
  flowsPerGroup: 1_000,
  openRequestsPerFlow: 200,
  /** Open and final ones together. */
  requestsPerFlow: 5_000,
  iterationsPerRequest: 300,
  commentsPerRequest: 5_000,
  /** Of all comments of a request together: their texts, and what they are about as JSON. */
  commentsCharacters: 5_000_000,
  eventsPerRequest: 2_000,
} as const;

/** The contents of all iterations that one response holds together, in bytes; older ones beyond it are null. */
export const flowContentsBytes = 20_000_000;

/** The role of the members of a flow group. */
export const flowDeveloperRole = (group: string): string => `flow-developer-${group}`;

/** Members of a flow group hold its role; administrators are members of every group. */
export const isFlowGroupMember = (roles: readonly string[], group: string): boolean =>
  passesRole(roles, "admin") || passesRole(roles, flowDeveloperRole(group));

/** Nothing has the id 0, so that a path with anything but an id is answered as one with an unknown id. */
const idInPath = z.coerce.number().pipe(flowPartId).catch(0);

export const flowGroupSummary = z
  .object({
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    /** Requests that are not final. */
    openRequests: z.int(),
    /** Of these, requests that wait for a review by the caller. */
    needsMyReview: z.int(),
  })
  .meta({ id: "FlowGroupSummary" });
export type FlowGroupSummary = z.infer<typeof flowGroupSummary>;

export const flow = z
  .object({
    id: flowPartId,
    name: z.string(),
    /** Requests that are not final. */
    openRequests: z.int(),
    /** When a request was last accepted; null if the flow has no accepted content. */
    lastAcceptedMs: z.number().nullable(),
  })
  .meta({ id: "Flow" });
export type Flow = z.infer<typeof flow>;

const flowMember = z.object({ username: z.string(), name: z.string() }).meta({ id: "FlowMember" });
export type FlowMember = z.infer<typeof flowMember>;

/** Text of at most `flowContentBytes` in UTF-8, which the gateway checks. */
const content = z.string().min(1, "is empty");

/** Control characters other than line breaks and tabs are invisible, and take six times their room in JSON. */
const hasNoControls = (text: string): boolean => !/[^\P{Cc}\n\r\t]/u.test(text);
const controlsProblem = "must not contain control characters other than line breaks and tabs";

const reason = prose(flowLimits.reasonCharacters).refine(hasNoControls, controlsProblem).optional();
const iterationDraft = z.object({ content, reason }).meta({ id: "FlowIterationDraft" });

const flowRequestDraft = z
  .object({
    name: newName(flowLimits.nameCharacters),
    reason,
    iterations: z.array(iterationDraft).length(1, "needs exactly one iteration"),
  })
  .meta({ id: "FlowRequestDraft" });

const commentText = requiredProse(flowLimits.commentCharacters).refine(hasNoControls, controlsProblem);

const commentDraft = z
  .object({
    text: commentText,
    anchor: z
      .discriminatedUnion("kind", [
        z.object({ kind: z.literal("line"), iterationId: flowPartId, line: z.int().min(1).max(flowContentBytes) }),
        z.object({
          kind: z.literal("component"),
          iterationId: flowPartId,
          componentId: requiredProse(500).refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters"),
          name: prose(500).refine(hasNoControls, controlsProblem),
        }),
      ])
      .nullable()
      .optional(),
  })
  .meta({ id: "FlowCommentDraft" });
export type FlowCommentDraft = z.input<typeof commentDraft>;

/** The state that the caller has seen; a request that changed meanwhile is refused with `conflict`, and `current` holds it. */
const seen = {
  expectedStatus: z.int().optional(),
  expectedIterationId: flowPartId.optional(),
};
const statusChange = z
  .object({
    /** Becomes a comment. */
    comment: prose(flowLimits.commentCharacters).refine(hasNoControls, controlsProblem).optional(),
    ...seen,
  })
  .meta({ id: "FlowStatusChange" })
  .optional();

const groupParams = z.object({ group: z.string().max(1_000) });
const flowParams = groupParams.extend({ flowId: idInPath });
const requestParams = flowParams.extend({ requestId: idInPath });
const commentParams = requestParams.extend({ commentId: idInPath });
const listQuery = z.object({
  /** With false, all contents are null: lists are small then, however large the contents are. Default: true. */
  content: z.enum(["true", "false"]).optional(),
});
const adminParams = z.object({ id: idInPath });

/** Most requests that one page holds. */
export const flowRequestsPerPage = 500;

/** Selection of requests: those that need a review by the caller, or that the caller created. */
const shownRequests = z.enum(["all", "review", "mine"]);

const requestFilter = {
  /** Open requests are not final. Default: all. */
  state: z.enum(["open", "closed", "all"]).optional(),
  status: z.coerce.number().pipe(z.int().min(-1).max(3)).optional(),
  /** Words, each of which occurs in the name of the request, its flow, its group or its creator, in any case. */
  search: z.string().max(1_000).optional(),
};

const requestsQuery = z.object({
  ...requestFilter,
  /** Default: all. */
  show: shownRequests.optional(),
  /** Asks for a page, which has the newest request first. Default: 100 with `before`, otherwise every request, the oldest first. */
  limit: z.coerce.number().pipe(z.int().min(1).max(flowRequestsPerPage)).optional(),
  /** Asks for the page after this request. */
  before: z.coerce.number().pipe(flowPartId).optional(),
});
export type FlowRequestsQuery = z.output<typeof requestsQuery>;

export const flowRequestCounts = z.object({ all: z.int(), review: z.int(), mine: z.int() }).meta({ id: "FlowRequestCounts" });
export type FlowRequestCounts = z.infer<typeof flowRequestCounts>;

/** Room for a content that is escaped character by character, and for the rest of the body. */
const contentBodyLimit = 6 * flowContentBytes + 10_000;
const requests = "/flowGroups/:group/flows/:flowId/requests";
const oneRequest = `${requests}/:requestId` as const;

/**
 * Changes of data flows: requests with iterations of a flow's content, comments and statuses. All calls are limited to members of the
 * group: another group, and what is in it, is not found. A call that the request's status forbids is refused with `conflict`, and
 * `current` holds the request.
 */
export const flows = {
  groups: route({
    method: "GET",
    path: "/flowGroups",
    access: "signed-in",
    summary: "The flow groups of which the user is a member, by name.",
    response: z.array(flowGroupSummary),
  }),
  members: route({
    method: "GET",
    path: "/flowGroups/:group/members",
    access: "signed-in",
    summary: "Who can be mentioned and can review: the members of the group, by username, at most 500.",
    params: groupParams,
    response: z.array(flowMember),
  }),
  list: route({
    method: "GET",
    path: "/flowGroups/:group/flows",
    access: "signed-in",
    summary: "The flows of the group, by name.",
    params: groupParams,
    response: z.array(flow),
  }),
  create: route({
    method: "POST",
    path: "/flowGroups/:group/flows",
    access: "signed-in",
    summary: "Create a flow. 409 if the group has a flow of this name in any case.",
    params: groupParams,
    body: z.object({ name: newName(flowLimits.nameCharacters) }).meta({ id: "FlowDraft" }),
    response: flow,
    status: 201,
  }),
  groupRequests: route({
    method: "GET",
    path: "/flowGroups/:group/requests",
    access: "signed-in",
    summary: "The requests of all flows of the group, by creation time; in pages if one is asked for.",
    params: groupParams,
    query: requestsQuery,
    response: z.array(flowRequest),
  }),
  requestCounts: route({
    method: "GET",
    path: "/flowGroups/:group/requests/counts",
    access: "signed-in",
    summary: "How many requests of the group match a filter, for each choice of `show`.",
    params: groupParams,
    query: z.object(requestFilter),
    response: flowRequestCounts,
  }),
  requests: route({
    method: "GET",
    path: requests,
    access: "signed-in",
    summary: "The requests of the flow, by creation time; in pages if one is asked for.",
    params: flowParams,
    query: requestsQuery,
    response: z.array(flowRequest),
  }),
  createRequest: route({
    method: "POST",
    path: requests,
    access: "signed-in",
    summary: "Create a request, In Progress, with its first iteration.",
    params: flowParams,
    body: flowRequestDraft,
    bodyLimit: contentBodyLimit,
    response: flowRequest,
    status: 201,
  }),
  request: route({
    method: "GET",
    path: oneRequest,
    access: "signed-in",
    summary: "A request.",
    params: requestParams,
    response: flowRequest,
  }),
  iterations: route({
    method: "GET",
    path: `${oneRequest}/iterations`,
    access: "signed-in",
    summary: "The iterations of the request, oldest first. The contents of older ones are null beyond 20 MB together.",
    params: requestParams,
    query: listQuery,
    response: z.array(flowIteration),
    streamed: true,
  }),
  iteration: route({
    method: "GET",
    path: `${oneRequest}/iterations/:iterationId`,
    access: "signed-in",
    summary: "An iteration with its content.",
    params: requestParams.extend({ iterationId: idInPath }),
    response: flowIteration,
  }),
  createIteration: route({
    method: "POST",
    path: `${oneRequest}/iterations`,
    access: "signed-in",
    summary: "Add an iteration to a request that is In Progress.",
    params: requestParams,
    body: iterationDraft,
    bodyLimit: contentBodyLimit,
    response: flowIteration,
    status: 201,
  }),
  comments: route({
    method: "GET",
    path: `${oneRequest}/comments`,
    access: "signed-in",
    summary: "The comments of the request, oldest first.",
    params: requestParams,
    response: z.array(flowComment),
  }),
  comment: route({
    method: "POST",
    path: `${oneRequest}/comments`,
    access: "signed-in",
    summary: "Comment on the request, on a line of an iteration, or on a component of its flow. Final requests can be commented on too.",
    params: requestParams,
    body: commentDraft,
    response: flowComment,
    status: 201,
  }),
  editComment: route({
    method: "PUT",
    path: `${oneRequest}/comments/:commentId`,
    access: "signed-in",
    summary: "Change the text of the user's own comment, which is marked as edited.",
    params: commentParams,
    body: z.object({ text: commentText }).meta({ id: "FlowCommentChange" }),
    response: flowComment,
  }),
  deleteComment: route({
    method: "DELETE",
    path: `${oneRequest}/comments/:commentId`,
    access: "signed-in",
    summary: "Delete the text of the user's own comment; the comment stays, marked as deleted.",
    params: commentParams,
    response: flowComment,
  }),
  events: route({
    method: "GET",
    path: `${oneRequest}/events`,
    access: "signed-in",
    summary: "What happened to the request, oldest first.",
    params: requestParams,
    response: z.array(flowEvent),
  }),
  abandon: route({
    method: "PUT",
    path: `${oneRequest}/abandon`,
    access: "signed-in",
    summary: "Abandon a request that is not final.",
    params: requestParams,
    body: statusChange,
    response: flowRequest,
  }),
  submit: route({
    method: "PUT",
    path: `${oneRequest}/submit`,
    access: "signed-in",
    summary: "Submit a request In Progress for review.",
    params: requestParams,
    body: statusChange,
    response: flowRequest,
  }),
  review: route({
    method: "PUT",
    path: `${oneRequest}/reviewer`,
    access: "signed-in",
    summary:
      "Take the review of a request that is not final and that the user did not create, also from another reviewer, or give it back.",
    params: requestParams,
    body: z
      .object({
        /** Whether the caller reviews from now on. False gives the caller's own review back. */
        isReviewer: z.boolean(),
        /** Reviewer that the caller saw; another one is refused with `conflict`. */
        expectedReviewerUsername: z.string().max(1_000).nullable().optional(),
      })
      .meta({ id: "FlowReviewChange" }),
    response: flowRequest,
  }),
  accept: route({
    method: "PUT",
    path: "/admin/flowRequest/:id/accept",
    access: { role: "admin" },
    summary: "Accept a request that is not final. Its last iteration is added to the main history of the flow.",
    params: adminParams,
    body: statusChange,
    response: flowRequest,
  }),
  reject: route({
    method: "PUT",
    path: "/admin/flowRequest/:id/reject",
    access: { role: "admin" },
    summary: "Return a request that is not final to In Progress.",
    params: adminParams,
    body: statusChange,
    response: flowRequest,
  }),
  mainIterations: route({
    method: "GET",
    path: "/flowGroups/:group/flows/:flowId/mainIterations",
    access: "signed-in",
    summary: "The accepted iterations of the flow, newest first. The contents of older ones are null beyond 20 MB together.",
    params: flowParams,
    query: listQuery,
    response: z.array(mainIteration),
    streamed: true,
  }),
  mainIteration: route({
    method: "GET",
    path: "/flowGroups/:group/flows/:flowId/mainIterations/:iterationId",
    access: "signed-in",
    summary: "An accepted iteration with its content.",
    params: flowParams.extend({ iterationId: idInPath }),
    response: mainIteration,
  }),
};
