import type { FlowRequest } from "@fairway/contract/flow-requests";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconEye } from "#ui/icons/eye.ts";
import { IconUser } from "#ui/icons/user.ts";
import { Link } from "@tanstack/react-router";
import { Badge } from "#ui/badge.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { FlowTime } from "../flow-time.tsx";
import { StatusMark } from "../status-mark.tsx";
import classes from "../flows.module.css";
import requestClasses from "./requests.module.css";

const columnsOf = (groupName: string): readonly TableColumn<FlowRequest>[] => [
  { id: "name", header: "Name", isRowHeader: true, cell: (request) => <Name groupName={groupName} request={request} /> },
  {
    id: "flow",
    header: "Flow",
    phoneLabel: "Flow",
    cell: ({ flowId, flowName }) => (
      <Link to="/niflow-flows/$groupName/$flowId" params={{ groupName, flowId: String(flowId) }}>
        {flowName}
      </Link>
    ),
  },
  { id: "status", header: "Status", cell: ({ status }) => <StatusMark status={status} /> },
  {
    id: "created",
    header: (
      <>
        Created <IconArrowDown size={14} aria-hidden />
      </>
    ),
    sorted: "descending",
    phoneLabel: "Created",
    tooltip: ({ creatorUsername }) => `By ${creatorUsername}`,
    cell: ({ createdDateMs }) => <FlowTime epochMs={createdDateMs} />,
  },
  {
    id: "lastUpdated",
    header: "Last Updated",
    phoneLabel: "Last Updated",
    cell: ({ lastUpdatedMs }) => <FlowTime epochMs={lastUpdatedMs} />,
  },
];

/** Requests of one group, in the given order. On a phone, each is a card. */
export function RequestsTable({ group, label, requests }: { group: string; label: string; requests: readonly FlowRequest[] }) {
  return (
    <DataTable
      columns={columnsOf(group)}
      rows={requests}
      rowKey={({ id }) => id}
      label={label}
      edges="flush"
      head="line"
      hovers
      hasCardsOnPhone
      className={`${classes["table"]} ${requestClasses["table"]}`}
    />
  );
}

function Name({ groupName, request }: { groupName: string; request: FlowRequest }) {
  const { id, name, reason, flowId, needsMyReview, isOwn } = request;
  return (
    <>
      <Link to="/niflow-requests/$groupName/$flowId/$requestId" params={{ groupName, flowId: String(flowId), requestId: String(id) }}>
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
    </>
  );
}
