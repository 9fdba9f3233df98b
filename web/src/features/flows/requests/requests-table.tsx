import type { FlowRequest } from "@fairway/contract/flows";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconEye } from "#ui/icons/eye.ts";
import { IconUser } from "#ui/icons/user.ts";
import { Link } from "@tanstack/react-router";
import { Badge } from "#ui/badge.tsx";
import { FlowTime } from "../flow-time.tsx";
import { StatusMark } from "../status-mark.tsx";
import classes from "../flows.module.css";
import requestClasses from "./requests.module.css";

/** Requests of one group, in the given order. On a phone, each is a card. */
export function RequestsTable({ group, label, requests }: { group: string; label: string; requests: readonly FlowRequest[] }) {
  return (
    <table className={`${classes["table"]} ${requestClasses["table"]}`} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Flow</th>
          <th scope="col">Status</th>
          <th scope="col" aria-sort="descending">
            Created <IconArrowDown size={14} aria-hidden />
          </th>
          <th scope="col">Last Updated</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <Row key={request.id} group={group} request={request} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ group: groupName, request }: { group: string; request: FlowRequest }) {
  const { id, name, reason, flowId, flowName, status, createdDateMs, lastUpdatedMs, needsMyReview, isOwn, creatorUsername } = request;
  const flow = { groupName, flowId: String(flowId) };
  return (
    <tr>
      <th scope="row">
        <Link to="/niflow-requests/$groupName/$flowId/$requestId" params={{ ...flow, requestId: String(id) }}>
          {name}
        </Link>
        {needsMyReview && (
          <Badge icon={IconEye} tone="accent">
            waiting for you
          </Badge>
        )}
        {isOwn && <Badge icon={IconUser}>yours</Badge>}
        {reason !== "" && (
          <p className={requestClasses["reason"]} title={reason}>
            {reason}
          </p>
        )}
      </th>
      <td data-label="Flow">
        <Link to="/niflow-flows/$groupName/$flowId" params={flow}>
          {flowName}
        </Link>
      </td>
      <td>
        <StatusMark status={status} />
      </td>
      <td data-label="Created" title={`By ${creatorUsername}`}>
        <FlowTime epochMs={createdDateMs} />
      </td>
      <td data-label="Last Updated">
        <FlowTime epochMs={lastUpdatedMs} />
      </td>
    </tr>
  );
}
