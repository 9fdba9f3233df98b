import { flowRequestStatus, flowRequestStatusLabels } from "@fairway/contract/flow-requests";
import { IconCheck } from "#ui/icons/check.ts";
import { IconX } from "#ui/icons/x.ts";
import classes from "./flows.module.css";

/** The label of a request's status. Those of newer servers are Unknown. */
export const statusLabel = (status: number): string => flowRequestStatusLabels.find((one) => one.status === status)?.label ?? "Unknown";

/** The status of a request: a mark and its label. */
export function StatusMark({ status }: { status: number }) {
  return (
    <span className={classes["status"]} data-ready={status === flowRequestStatus.readyForReview || undefined}>
      {status === flowRequestStatus.accepted ? (
        <IconCheck size={14} stroke={2} aria-hidden />
      ) : status === flowRequestStatus.abandoned ? (
        <IconX size={14} stroke={2} aria-hidden />
      ) : (
        <span className={classes["dot"]} aria-hidden />
      )}
      {statusLabel(status)}
    </span>
  );
}
