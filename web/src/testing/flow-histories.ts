import type { FlowIteration, MainIteration } from "@fairway/contract/flow-requests";
import { buildFlow, buildFlowGroup, buildIteration, buildMainIteration, flowContent, serveFlows } from "./flows.ts";

export const serveFlow = () =>
  serveFlows([{ group: buildFlowGroup("weather"), flows: [buildFlow(4, "storm-ingest", { lastAcceptedMs: Date.now() })], requests: [] }]);

export const accepted = (id: number, requestName: string, overrides: Partial<MainIteration> = {}, iteration: Partial<FlowIteration> = {}) =>
  buildMainIteration(buildIteration(id, id, { content: flowContent("storm-ingest", `${id} min`), ...iteration }), {
    requestId: id * 10,
    requestName,
    ...overrides,
  });
