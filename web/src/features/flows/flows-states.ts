import { flowDifferences } from "@fairway/contract/flow-differences";
import { flows } from "@fairway/contract/flows";
import { page } from "vitest/browser";
import { changesPage, fieldChange, flowComponent, smallDrawing } from "#testing/flow-differences.tsx";
import { buildDeployment, buildEnvironment, buildRunningFlow, production, serveDeployments } from "#testing/flow-deployments.ts";
import { buildComment, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { flowDeployments } from "@fairway/contract/flow-deployments";
import {
  buildIteration,
  buildMainIteration,
  flowContent,
  flowCreatedMs,
  serveFlows,
  serveMainIterations,
  serveTwoGroups,
} from "#testing/flows.ts";
import { gateway } from "#testing/open-screen.tsx";
import { button, dialog, forAdministrators, type ScreenState, text, title, failing } from "#testing/screen-state.ts";

const accepted = (id: number, requestName: string) =>
  buildMainIteration(buildIteration(id, id, { content: flowContent("storm-ingest", `${id} min`) }), {
    requestId: id * 10,
    requestName,
    timeMs: flowCreatedMs + id * 3_600_000,
  });

function serveHistory(): void {
  serveTwoGroups();
  serveMainIterations([accepted(3, "Larger batches"), accepted(2, "Poll every minute"), accepted(1, "First import")]);
}

function serveRequest(): void {
  serveFlowRequest({ comments: [buildComment(101, "Why **larger**?"), buildComment(102, "Fewer calls.", { commenterUsername: "ada" })] });
  serveDeployments([buildDeployment(1)]);
  gateway.answer(flowDifferences.drawing, smallDrawing);
  gateway.answer(flowDifferences.changes, changesPage([fieldChange(flowComponent("Fetch"), "Read Timeout", "15 secs", "60 secs")]));
}

export const states: readonly ScreenState[] = [
  { name: "flows", answers: serveTwoGroups, open: "/niflow-flows", shows: text("Needs my review"), phone: true },
  { name: "flows-none", answers: () => serveFlows([]), open: "/niflow-flows", shows: title("Flows") },
  {
    name: "flows-running",
    answers: () => {
      serveTwoGroups();
      gateway.answer(flowDeployments.overview, [
        buildEnvironment("Production", [buildRunningFlow(4, "storm-ingest")]),
        buildEnvironment("Staging", []),
      ]);
    },
    open: "/niflow-flows",
    shows: title("Flows"),
  },
  failing("flows-failed", "/niflow-flows", flows.groups, serveTwoGroups),
  { name: "flow-requests", answers: serveTwoGroups, open: "/niflow-requests", shows: text("Write Parquet"), phone: true },
  { name: "flow-requests-none", answers: () => serveFlows([]), open: "/niflow-requests", shows: title("Flow Requests") },
  failing("flow-requests-failed", "/niflow-requests", flows.groupRequests, serveTwoGroups),
  { name: "flow-history", answers: serveHistory, open: "/niflow-flows/weather/4", shows: text("Poll every minute"), phone: true },
  {
    name: "flow-history-none",
    answers: () => {
      serveTwoGroups();
      serveMainIterations([]);
    },
    open: "/niflow-flows/weather/4",
    shows: title("storm-ingest"),
  },
  ...forAdministrators([
    { name: "flow-request", answers: serveRequest, open: requestAddress, shows: title("Larger batches for best-track"), phone: true },
    { name: "flow-request-text", answers: serveRequest, open: textAddress, shows: text(/schedulingPeriod/) },
    {
      name: "flow-request-differences",
      answers: serveRequest,
      open: `${requestAddress}?mode=diff&iteration=142&base=141`,
      shows: title("Larger batches for best-track"),
    },
    {
      name: "flow-request-changes",
      answers: serveRequest,
      open: `${requestAddress}?mode=diff&view=changes&base=accepted`,
      shows: text(/Read Timeout/),
    },
    {
      name: "flow-request-drawing",
      answers: serveRequest,
      open: `${requestAddress}?mode=diff&view=drawing&base=accepted`,
      shows: title("Larger batches for best-track"),
    },
    {
      name: "flow-request-unknown",
      answers: () => {
        serveRequest();
        gateway.refuse(flows.request, "not-found", "There is no such request.");
      },
      open: requestAddress,
      shows: () => page.getByRole("main"),
    },
    {
      name: "flow-request-deployments",
      answers: () => {
        serveFlowRequest();
        const environment = { environmentId: production.id, deployedEnvironmentName: production.displayName };
        serveDeployments([
          buildDeployment(4, { laterFailure: { failedMs: flowCreatedMs, text: "NiFi did not answer." } }),
          buildDeployment(3, { isCurrent: false, iterationId: 143, iterationNumber: 3 }),
          buildDeployment(2, { isCurrent: false, iterationId: 141, iterationNumber: 1 }),
          buildDeployment(1, { ...environment, drift: { checkedMs: flowCreatedMs, isSame: false, changes: 2 } }),
        ]);
      },
      open: requestAddress,
      steps: [() => button("4 deployments").click()],
      shows: () => dialog("Deployment History"),
      phone: true,
    },
    {
      name: "flow-request-without-environments",
      answers: () => {
        serveFlowRequest();
        serveDeployments([], { environments: [production] });
      },
      open: requestAddress,
      shows: title("Larger batches for best-track"),
    },
  ]),
];
