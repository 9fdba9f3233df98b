import { flowDeployments } from "@fairway/contract/flow-deployments";
import { type FlowIteration, type FlowRequest, flowRequestStatus, isFinal, type MainIteration } from "@fairway/contract/flow-requests";
import { type Flow, type FlowGroupSummary, type FlowRequestsQuery, flows } from "@fairway/contract/flows";
import { Refused } from "./contract-gateway.ts";
import { ada, gateway } from "./open-screen.tsx";

/** 11/18/2026, 11:40:09 AM UTC. */
export const flowCreatedMs = Date.UTC(2026, 10, 18, 11, 40, 9);

/** A JSON flow definition. */
export const flowContent = (name: string, schedulingPeriod = "1 min"): string =>
  JSON.stringify(
    { flowContents: { identifier: "group-1", name, processors: [{ identifier: "p-1", name: "Poll", schedulingPeriod }] } },
    null,
    2,
  );

/** A file to choose as the content of a flow. */
export const flowFile = (content: string | Uint8Array<ArrayBuffer> = flowContent("storm-ingest"), name = "storm-ingest.json"): File =>
  new File([content], name);

export const buildFlowGroup = (name: string, overrides: Partial<FlowGroupSummary> = {}): FlowGroupSummary => ({
  name,
  displayName: name,
  description: "",
  openRequests: 0,
  needsMyReview: 0,
  ...overrides,
});

export const buildFlow = (id: number, name: string, overrides: Partial<Flow> = {}): Flow => ({
  id,
  name,
  openRequests: 0,
  lastAcceptedMs: null,
  ...overrides,
});

/** A request In Progress of flow 1, by another user. */
export const buildFlowRequest = (id: number, name: string, overrides: Partial<FlowRequest> = {}): FlowRequest => ({
  id,
  name,
  reason: "",
  flowId: 1,
  flowName: "storm-ingest",
  status: flowRequestStatus.inProgress,
  createdDateMs: flowCreatedMs,
  lastUpdatedMs: flowCreatedMs,
  creatorUsername: "grace",
  reviewerUsername: null,
  iterations: 1,
  lastIterationId: id * 100 + 1,
  comments: 0,
  isOwn: false,
  needsMyReview: false,
  canDecide: false,
  ...overrides,
});

export const buildIteration = (id: number, number: number, overrides: Partial<FlowIteration> = {}): FlowIteration => {
  const content = overrides.content === undefined ? flowContent("storm-ingest", `${number} min`) : overrides.content;
  return {
    id,
    number,
    creatorUsername: "grace",
    createdDateMs: flowCreatedMs,
    bytes: new TextEncoder().encode(content ?? "").length,
    format: "json",
    reason: "",
    ...overrides,
    content,
  };
};

/** An accepted iteration. */
export const buildMainIteration = (iteration: FlowIteration, overrides: Partial<MainIteration> = {}): MainIteration => ({
  timeMs: flowCreatedMs,
  iteration,
  requestId: 14,
  requestName: "Larger batches",
  acceptedByUsername: "admin",
  ...overrides,
});

/** Flow groups as the gateway knows them for the user, by name. */
export interface ServedFlowGroup {
  group: FlowGroupSummary;
  flows: readonly Flow[];
  requests: readonly FlowRequest[];
}

const isShown = {
  all: () => true,
  review: ({ needsMyReview }: FlowRequest) => needsMyReview,
  mine: ({ isOwn }: FlowRequest) => isOwn,
};

const matchingRequests = (
  { group, requests }: ServedFlowGroup,
  { state = "all", status, search = "" }: Pick<FlowRequestsQuery, "state" | "status" | "search">,
): FlowRequest[] =>
  requests
    .filter((request) => state === "all" || isFinal(request.status) === (state === "closed"))
    .filter((request) => status === undefined || request.status === status)
    .filter(({ name, flowName, creatorUsername }) => {
      const text = [name, flowName, creatorUsername, group.displayName].join("\n").toLowerCase();
      return search
        .toLowerCase()
        .split(/\s+/)
        .every((word) => text.includes(word));
    });

const unknownGroup = "There is no such flow group.";

/** Makes the gateway serve these flow groups and store the flows and requests that are created. */
export function serveFlows(groups: readonly ServedFlowGroup[]): void {
  const stored = new Map<string, { group: FlowGroupSummary; flows: Flow[]; requests: FlowRequest[] }>(
    groups.map((one) => [one.group.name, { ...one, flows: [...one.flows], requests: [...one.requests] }]),
  );
  const groupNamed = (name: string) => {
    const found = stored.get(name);
    if (!found) throw new Refused("not-found", unknownGroup);
    return found;
  };
  const allRequests = () => [...stored.values()].flatMap(({ requests }) => requests);
  gateway.answer(flows.groups, () => [...stored.values()].map(({ group }) => group));
  gateway.answer(flows.list, ({ params }) => groupNamed(params.group).flows);
  gateway.answer(flows.groupRequests, ({ params, query }) => {
    const matching = matchingRequests(groupNamed(params.group), query).filter(isShown[query.show ?? "all"]);
    if (query.limit === undefined) return matching;
    const newestFirst = matching.toSorted((one, other) => other.createdDateMs - one.createdDateMs || other.id - one.id);
    const start = newestFirst.findIndex(({ id }) => id === query.before) + 1;
    return newestFirst.slice(start, start + query.limit);
  });
  gateway.answer(flows.requestCounts, ({ params, query }) => {
    const matching = matchingRequests(groupNamed(params.group), query);
    return { all: matching.length, review: matching.filter(isShown.review).length, mine: matching.filter(isShown.mine).length };
  });
  gateway.answer(flowDeployments.overview, []);
  gateway.answer(flows.create, ({ params, body: { name } }) => {
    const { flows: list } = groupNamed(params.group);
    if (list.some((one) => one.name.toLowerCase() === name.toLowerCase()))
      throw new Refused("name-taken", "The group has a flow with this name.", "name");
    const created = buildFlow(Math.max(0, ...[...stored.values()].flatMap((one) => one.flows.map(({ id }) => id))) + 1, name);
    list.push(created);
    list.sort((one, other) => one.name.localeCompare(other.name, "en"));
    return created;
  });
  gateway.answer(flows.createRequest, ({ params, body: { name } }) => {
    const { flows: list, requests } = groupNamed(params.group);
    const flow = list.find(({ id }) => id === params.flowId);
    if (!flow) throw new Refused("not-found", "There is no such flow.");
    const created = buildFlowRequest(Math.max(0, ...allRequests().map(({ id }) => id)) + 1, name, {
      flowId: flow.id,
      flowName: flow.name,
      creatorUsername: ada.preferred_username,
      createdDateMs: Date.now(),
      lastUpdatedMs: Date.now(),
      isOwn: true,
    });
    requests.push(created);
    return created;
  });
}

/** Makes the gateway serve the accepted iterations of every flow, newest first. */
export function serveMainIterations(accepted: readonly MainIteration[]): void {
  gateway.answer(flows.mainIterations, ({ query }) =>
    query.content === "false" ? accepted.map((one) => ({ ...one, iteration: { ...one.iteration, content: null } })) : [...accepted],
  );
  gateway.answer(flows.mainIteration, ({ params }) => {
    const found = accepted.find(({ iteration }) => iteration.id === params.iterationId);
    if (!found) throw new Refused("not-found", "There is no such iteration.");
    return found;
  });
}

/** Serves two groups, neither they nor the flows of one in order. A request waits for the user's review: `waiting`. */
export const serveTwoGroups = (waiting: Partial<FlowRequest> = {}): void =>
  serveFlows([
    {
      group: buildFlowGroup("weather", { openRequests: 3, needsMyReview: 1 }),
      flows: [buildFlow(4, "storm-ingest", { openRequests: 2 }), buildFlow(3, "storm-archive", { openRequests: 1 })],
      requests: [
        buildFlowRequest(7, "Write Parquet", {
          flowId: 3,
          flowName: "storm-archive",
          status: flowRequestStatus.readyForReview,
          needsMyReview: true,
          ...waiting,
        }),
        buildFlowRequest(8, "Retry after a timeout", { flowId: 4 }),
      ],
    },
    { group: buildFlowGroup("aviation"), flows: [buildFlow(1, "bird-strikes")], requests: [] },
  ]);
