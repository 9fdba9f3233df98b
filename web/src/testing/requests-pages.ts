import { type FlowRequest, flowRequestStatus } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { page } from "vitest/browser";
import { buildFlow, buildFlowGroup, buildFlowRequest, serveFlows } from "./flows.ts";
import { gateway } from "./open-screen.tsx";

export const day = (date: number, hour = 0) => Date.UTC(2026, 10, date, hour, 5, 41);

export const table = (group: string) => page.getByRole("table", { name: `Requests of ${group}` });
export const names = (group: string) => table(group).getByRole("rowheader").getByRole("link");
export const statusFilter = page.getByRole("combobox", { name: "Status Filter" });
export const search = page.getByRole("textbox", { name: "Filter requests" });
export const dialog = () => page.getByRole("dialog", { name: "New Request" });
export const save = () => dialog().getByRole("button", { name: "Save" });
export const flow = () => dialog().getByRole("combobox", { name: "Flow" });
export const requestName = () => dialog().getByRole("textbox", { name: "Request Name" });
export const content = () => dialog().getByLabelText("Content");

/** One request of each status in the group weather, and an open one in aviation. */
const weather: FlowRequest[] = [
  buildFlowRequest(1, "Skip quarry blasts", { reason: "They are no quakes.", createdDateMs: day(17, 10), lastUpdatedMs: day(19, 15) }),
  buildFlowRequest(2, "Poll every minute", {
    status: flowRequestStatus.readyForReview,
    createdDateMs: day(20, 0),
    lastUpdatedMs: day(21, 12),
    needsMyReview: true,
  }),
  buildFlowRequest(3, "Larger batches", {
    createdDateMs: day(18),
    flowName: "storm-archive",
    flowId: 2,
    isOwn: true,
    creatorUsername: "ada",
  }),
  buildFlowRequest(4, "Old idea", { status: flowRequestStatus.abandoned, createdDateMs: day(1) }),
  buildFlowRequest(5, "First import", { status: flowRequestStatus.accepted, createdDateMs: day(2) }),
  buildFlowRequest(6, "From a newer server", { status: flowRequestStatus.unknown, createdDateMs: day(3) }),
];

export function serveRequests(): void {
  // The page of a request that opens from here is not what these tests are about.
  for (const route of [flows.request, flows.iterations, flows.comments, flows.events, flows.members])
    gateway.refuse(route, "not-found", "There is no such request.");
  serveFlows([
    {
      group: buildFlowGroup("weather", { needsMyReview: 1 }),
      flows: [buildFlow(1, "storm-ingest"), buildFlow(2, "storm-archive")],
      requests: weather,
    },
    {
      group: buildFlowGroup("aviation"),
      flows: [buildFlow(3, "bird-strikes")],
      requests: [buildFlowRequest(9, "Add the tail number", { flowId: 3, flowName: "bird-strikes" })],
    },
  ]);
}
