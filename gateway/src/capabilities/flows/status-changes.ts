import { type FlowEvent, flowRequestStatus, flowRequestStatusLabels, isFinal } from "@fairway/contract/flow-requests";

type Kind = Extract<FlowEvent["kind"], "submitted" | "rejected" | "accepted" | "abandoned">;

export interface StatusChange {
  readonly kind: Kind;
  readonly status: number;
}

/** Decision 0451. */
export const statusChanges = {
  submit: { kind: "submitted", status: flowRequestStatus.readyForReview },
  abandon: { kind: "abandoned", status: flowRequestStatus.abandoned },
  accept: { kind: "accepted", status: flowRequestStatus.accepted },
  reject: { kind: "rejected", status: flowRequestStatus.inProgress },
} as const satisfies Record<string, StatusChange>;

const labelOf = (status: number): string => flowRequestStatusLabels.find((one) => one.status === status)?.label ?? "Unknown";

/** Why a request with this status cannot be changed this way; undefined if it can. */
export function statusProblem(status: number, kind: Kind | "iteration" | "reviewer"): string | undefined {
  if (isFinal(status)) return `The request is ${labelOf(status)} and can no longer change.`;
  if (status === flowRequestStatus.inProgress) return undefined;
  if (kind === "submitted") return `The request is ${labelOf(status)} already.`;
  if (kind === "iteration") return `The request is ${labelOf(status)}; iterations can be added while it is In Progress.`;
  return undefined;
}
