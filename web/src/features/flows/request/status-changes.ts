import { type FlowRequest, flowRequestStatus, isFinal } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { call } from "#lib/gateway/call.ts";
import type { RequestIds } from "./queries.ts";

export type StatusChange = "submit" | "accept" | "reject" | "abandon";
export type RequestDialog = "iteration" | "deploy" | StatusChange;

interface Sent {
  comment: string | undefined;
  expectedStatus: number;
  expectedIterationId: number;
}

interface Description {
  /** Title and button of the dialog. */
  title: string;
  label: string;
  text: (request: FlowRequest) => string;
  commentLabel: string;
  failed: string;
  done: string;
  isDestructive?: true;
  /** Only for administrators. */
  isDecision?: true;
  send: (ids: RequestIds, body: Sent) => Promise<FlowRequest>;
}

/** Each change of the status, as its dialog describes it. */
export const statusChanges: Record<StatusChange, Description> = {
  submit: {
    title: "Submit for review?",
    label: "Submit for Review",
    text: ({ iterations }) => `Reviewers are notified that iteration ${iterations} is ready. No iterations can be added during the review.`,
    commentLabel: "Comment (optional)",
    failed: "Failed to Submit Request",
    done: "Request submitted",
    send: (ids, body) => call(flows.submit, { params: ids, body }),
  },
  accept: {
    title: "Accept this request?",
    label: "Accept",
    text: ({ iterations, flowName }) =>
      `Iteration ${iterations} becomes the accepted content of ${flowName}. This can't be undone, and the request can no longer change.`,
    commentLabel: "Comment (optional)",
    failed: "Failed to Set Request Status",
    done: "Request accepted",
    isDecision: true,
    send: ({ requestId }, body) => call(flows.accept, { params: { id: requestId }, body }),
  },
  reject: {
    title: "Reject this request?",
    label: "Reject",
    text: ({ creatorUsername }) => `The request goes back to In Progress, and ${creatorUsername} can add iterations.`,
    commentLabel: "Reason (optional)",
    failed: "Failed to Set Request Status",
    done: "Request rejected",
    isDecision: true,
    send: ({ requestId }, body) => call(flows.reject, { params: { id: requestId }, body }),
  },
  abandon: {
    title: "Abandon this request?",
    label: "Abandon",
    text: () => "An abandoned request stays readable, but it cannot be changed or opened again.",
    commentLabel: "Comment (optional)",
    failed: "Failed to Abandon Request",
    done: "Request abandoned",
    isDestructive: true,
    send: (ids, body) => call(flows.abandon, { params: ids, body }),
  },
};

/** Whether the status allows the change. */
export const isPossible = (change: StatusChange, { status }: FlowRequest): boolean =>
  change === "submit" ? status === flowRequestStatus.inProgress : !isFinal(status);
