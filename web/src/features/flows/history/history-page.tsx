import { Button, Flex } from "@mantine/core";
import { IconPlus } from "#ui/icons/plus.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { canSucceedLater, messagesOf } from "#lib/gateway/gateway-error.ts";
import { flowGroupsQuery } from "#parts/flow-groups/queries.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import { flowsQuery, mainIterationsQuery } from "../queries.ts";
import { NewRequestDialog } from "../requests/new-request-dialog.tsx";
import classes from "./history.module.css";
import { History } from "./history.tsx";

/** The main history of a flow: its accepted iterations, one of them or the differences of two. */
export function HistoryPage() {
  const params = useParams({ strict: false });
  const group = params.groupName ?? "";
  const flowId = Number(params.flowId);
  const groups = useQuery(flowGroupsQuery);
  const flows = useQuery(flowsQuery(group));
  const history = useQuery(mainIterationsQuery(group, flowId));
  // Null until first opened.
  const [isCreating, setCreating] = useState<boolean | null>(null);
  const flow = flows.data?.find(({ id }) => id === flowId);
  const queries = [flows, history] as const;
  const failed = queries.find(({ data, error, isFetching }) => data === undefined && error !== null && !isFetching);
  const groupName = groups.data?.find(({ name }) => name === group)?.displayName ?? group;

  if (!flow || !history.data) {
    const isMissing = flows.data !== undefined && !flow;
    return (
      <>
        <PageHeader title={flow?.name ?? "Flow"} />
        {failed || isMissing ? (
          <ErrorState
            message="Failed to Load Flow"
            details={failed ? messagesOf(failed.error) : ["It doesn't exist, or you aren't a member of its group."]}
            onRetry={failed && canSucceedLater(failed.error) ? () => queries.forEach((query) => void query.refetch()) : undefined}
            action={<Link to="/niflow-flows">All flows</Link>}
          />
        ) : (
          <div className={classes["loading"]}>
            <LoadingRows label="Loading the flow" />
          </div>
        )}
      </>
    );
  }
  const [newest, ...older] = history.data;
  const newRequest = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} aria-haspopup="dialog" onClick={() => setCreating(true)}>
      New Request
    </Button>
  );
  return (
    <>
      <PageHeader
        title={flow.name}
        isSubtitleLong
        subtitle={
          <Flex component="span" rowGap={0} columnGap="md" align="baseline" wrap="wrap">
            <span>
              {newest && (
                <>
                  Last Updated <RelativeTime epochMs={newest.timeMs} />
                </>
              )}
            </span>
            <Link to="/niflow-flows" search={{ search: groupName }}>
              {groupName}
            </Link>
            <Link to="/niflow-requests" search={{ search: flow.name }}>
              Open requests
            </Link>
            {newest && <TimeZoneToggle />}
          </Flex>
        }
      >
        {newRequest}
      </PageHeader>
      {newest ? (
        <History history={[newest, ...older]} group={group} flow={flow} />
      ) : (
        <EmptyState title="This flow has no accepted content yet.">
          The content of a request becomes part of the main history when an administrator accepts it.
        </EmptyState>
      )}
      {isCreating !== null && (
        <NewRequestDialog opened={isCreating} groups={groups.data ?? []} flow={{ group, flowId }} onClose={() => setCreating(false)} />
      )}
    </>
  );
}
