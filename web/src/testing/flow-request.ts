import { flowDeployments } from "@fairway/contract/flow-deployments";
import { flowDifferences } from "@fairway/contract/flow-differences";
import {
  type FlowComment,
  type FlowEvent,
  type FlowFormat,
  type FlowIteration,
  type FlowRequest,
  flowRequestStatus,
  isFinal,
} from "@fairway/contract/flow-requests";
import { type FlowCommentDraft, flows } from "@fairway/contract/flows";
import { changesPage, smallDrawing } from "./flow-differences.tsx";
import { Refused } from "./contract-gateway.ts";
import { buildFlowGroup, buildFlowRequest, buildIteration, flowCreatedMs, serveFlows } from "./flows.ts";
import { ada, gateway } from "./open-screen.tsx";

/** The address of the served request. */
export const requestAddress = "/niflow-requests/weather/1/14";

/** The same with the text of the newest iteration. */
export const textAddress = `${requestAddress}?mode=single`;

const minuteMs = 60_000;

export const buildComment = (id: number, text: string, overrides: Partial<FlowComment> = {}): FlowComment => ({
  id,
  commenterUsername: "grace",
  createdDateMs: flowCreatedMs + id * minuteMs,
  text,
  editedDateMs: null,
  isDeleted: false,
  isOwn: overrides.commenterUsername === ada.preferred_username,
  mentions: [],
  anchor: null,
  ...overrides,
});

export const buildEvent = (id: number, kind: FlowEvent["kind"], overrides: Partial<FlowEvent> = {}): FlowEvent => ({
  id,
  kind,
  username: "grace",
  timeMs: flowCreatedMs + id * minuteMs + 1_000,
  iterationId: null,
  subject: "",
  ...overrides,
});

/** The request as the gateway stores it. Others change it by changing this. */
export interface StoredRequest {
  request: FlowRequest;
  iterations: FlowIteration[];
  comments: FlowComment[];
  events: FlowEvent[];
}

/** The anchor of a line as the gateway stores it. */
export function lineAnchor(iteration: FlowIteration, line: number): FlowComment["anchor"] {
  const lines = (iteration.content ?? "").split("\n");
  const [before, after] = [lines.slice(Math.max(0, line - 4), line - 1), lines.slice(line, line + 3)];
  return { kind: "line", iterationId: iteration.id, line, text: lines[line - 1] ?? "", before, after };
}

interface Options {
  request?: Partial<FlowRequest>;
  /** Contents of the iterations, oldest first. */
  contents?: readonly string[];
  /** Of the iterations; JSON otherwise. */
  formats?: readonly FlowFormat[];
  comments?: FlowComment[];
  events?: FlowEvent[];
}

/** Makes the gateway serve request 14 of flow 1 in the group weather, and change it as the real one does. */
export function serveFlowRequest({ request = {}, contents, formats = [], comments = [], events }: Options = {}): StoredRequest {
  const iterations = (contents ?? [undefined, undefined]).map((content, index) =>
    buildIteration(141 + index, index + 1, {
      createdDateMs: flowCreatedMs + index * 60 * minuteMs,
      ...(content === undefined ? {} : { content }),
      format: formats[index] ?? "json",
    }),
  );
  const stored: StoredRequest = {
    request: buildFlowRequest(14, "Larger batches for best-track", {
      iterations: iterations.length,
      lastIterationId: 140 + iterations.length,
      comments: comments.length,
      ...request,
    }),
    iterations,
    comments,
    events: events ?? [buildEvent(1, "created")],
  };
  serveFlows([{ group: buildFlowGroup("weather", { displayName: "Weather" }), flows: [], requests: [] }]);
  serveReads(stored);
  serveDifferences();
  serveChanges(stored);
  return stored;
}

function serveReads(stored: StoredRequest): void {
  const listed = (wanted: string | undefined) => stored.iterations.map((one) => (wanted === "false" ? { ...one, content: null } : one));
  gateway.answer(flows.request, () => stored.request);
  gateway.answer(flows.iterations, ({ query }) => listed(query.content));
  gateway.answer(flows.iteration, ({ params }) => {
    const found = stored.iterations.find(({ id }) => id === params.iterationId);
    if (!found) throw new Refused("not-found", "There is no such iteration.");
    return found;
  });
  gateway.answer(flows.comments, () => stored.comments);
  gateway.answer(flows.events, () => stored.events);
  gateway.answer(flows.mainIterations, []);
  gateway.answer(flowDeployments.ofFlow, []);
  gateway.answer(flows.members, [
    { username: "ada", name: "Ada Lovelace" },
    { username: "grace", name: "Grace Hopper" },
    { username: "graham", name: "Graham Bell" },
  ]);
}

function serveDifferences(): void {
  gateway.answer(flowDifferences.changes, changesPage([]));
  gateway.answer(flowDifferences.drawing, smallDrawing);
  gateway.answer(flowDifferences.environments, []);
  gateway.answer(flowDifferences.checks, { checks: [], counts: { error: 0, warning: 0, info: 0 }, seenMs: null });
}

/** Adds an event at the end, and its time as that of the last change. */
export function happen(stored: StoredRequest, kind: FlowEvent["kind"], overrides: Partial<FlowEvent> = {}): void {
  const event = buildEvent((stored.events.at(-1)?.id ?? 0) + 1, kind, overrides);
  stored.events = [...stored.events, event];
  stored.request = { ...stored.request, lastUpdatedMs: Math.max(stored.request.lastUpdatedMs + 1, event.timeMs) };
}

/** Adds an iteration, as another user does. */
export function addIteration(stored: StoredRequest, username = "grace"): FlowIteration {
  const number = stored.iterations.length + 1;
  const iteration = buildIteration(140 + number, number, { creatorUsername: username });
  stored.iterations = [...stored.iterations, iteration];
  stored.request = { ...stored.request, iterations: number, lastIterationId: iteration.id };
  happen(stored, "iteration", { username, iterationId: iteration.id });
  return iteration;
}

function addComment(stored: StoredRequest, { text, anchor = null }: FlowCommentDraft): FlowComment {
  const { preferred_username: username } = ada;
  const iteration = stored.iterations.find(({ id }) => id === anchor?.iterationId);
  const added = buildComment((stored.comments.at(-1)?.id ?? 100) + 1, text, {
    commenterUsername: username,
    anchor: anchor?.kind === "line" && iteration ? lineAnchor(iteration, anchor.line) : anchor?.kind === "component" ? anchor : null,
  });
  stored.comments = [...stored.comments, added];
  stored.request = { ...stored.request, comments: stored.comments.length, lastUpdatedMs: stored.request.lastUpdatedMs + 1 };
  return added;
}

function serveChanges(stored: StoredRequest): void {
  const { preferred_username: username } = ada;
  const replaceComment = (id: number, change: Partial<FlowComment>): FlowComment => {
    stored.comments = stored.comments.map((one) => (one.id === id ? { ...one, ...change } : one));
    const found = stored.comments.find((one) => one.id === id);
    if (!found) throw new Refused("not-found", "There is no such comment.");
    return found;
  };
  gateway.answer(flows.comment, ({ body }) => addComment(stored, body));
  gateway.answer(flows.editComment, ({ params, body: { text } }) =>
    replaceComment(params.commentId, { text, editedDateMs: flowCreatedMs }),
  );
  gateway.answer(flows.deleteComment, ({ params }) => replaceComment(params.commentId, { text: "", isDeleted: true }));
  gateway.answer(flows.createIteration, ({ body: { content } }) => {
    const added = { ...addIteration(stored, username), content };
    stored.iterations = [...stored.iterations.slice(0, -1), added];
    return added;
  });
  gateway.answer(flows.review, ({ body: { isReviewer } }) => {
    stored.request = { ...stored.request, reviewerUsername: isReviewer ? username : null };
    happen(stored, "reviewer", { username, subject: isReviewer ? username : "" });
    return stored.request;
  });
  for (const [route, status, kind] of [
    [flows.submit, flowRequestStatus.readyForReview, "submitted"],
    [flows.abandon, flowRequestStatus.abandoned, "abandoned"],
    [flows.accept, flowRequestStatus.accepted, "accepted"],
    [flows.reject, flowRequestStatus.inProgress, "rejected"],
  ] as const) {
    gateway.answer(route, ({ body }) => {
      const { comment, expectedStatus, expectedIterationId } = body ?? {};
      if (
        isFinal(stored.request.status) ||
        expectedStatus !== stored.request.status ||
        expectedIterationId !== stored.request.lastIterationId
      )
        throw new Refused("conflict", "The request has changed meanwhile.");
      stored.request = { ...stored.request, status };
      happen(stored, kind, { username, iterationId: stored.request.lastIterationId });
      if (comment !== undefined) addComment(stored, { text: comment });
      return stored.request;
    });
  }
}
