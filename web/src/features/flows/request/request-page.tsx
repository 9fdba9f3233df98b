import { flows } from "@fairway/contract/flows";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { StatusMark } from "../status-mark.tsx";

const requestQuery = (group: string, flowId: number, requestId: number) =>
  queryOptions({
    queryKey: ["flow-requests", requestId, group, flowId],
    queryFn: ({ signal }) => call(flows.request, { params: { group, flowId, requestId } }, { signal }),
  });

/** A request: its name, flow and status. */
export function FlowRequestPage() {
  const { groupName = "", flowId = "", requestId = "" } = useParams({ strict: false });
  const { data: request, error, isFetching, refetch } = useQuery(requestQuery(groupName, Number(flowId), Number(requestId)));
  if (request) {
    return (
      <PageHeader
        title={request.name}
        badges={<StatusMark status={request.status} />}
        subtitle={
          <Link to="/niflow-flows/$groupName/$flowId" params={{ groupName, flowId }}>
            {request.flowName}
          </Link>
        }
      />
    );
  }
  return (
    <>
      <PageHeader title="Flow Request" />
      {error && !isFetching ? (
        <ErrorState message="Error loading flow request." details={messagesOf(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows label="Loading the flow request" />
      )}
    </>
  );
}
