import { formatCount, pluralize } from "@fairway/contract/counts";
import type { FlowGroupSummary } from "@fairway/contract/flows";
import { Button, Group } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { reloadFlows, requestPagesQuery, type RequestsFilter } from "../queries.ts";
import type { Shown } from "./requests-view.ts";
import { RequestsTable } from "./requests-table.tsx";
import classes from "../flows.module.css";

interface Props {
  group: FlowGroupSummary;
  filter: RequestsFilter;
  show: Shown;
  /** How many requests there are; undefined if that is not known. */
  count: number | undefined;
}

/** The requests of a group that match, a page at a time. */
export function GroupRequests({ group: { name, displayName, description }, filter, show, count }: Props) {
  const query = useInfiniteQuery(requestPagesQuery(name, filter, show));
  const { data, error, isFetching, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const requests = data?.pages.flat();
  return (
    <section className={classes["group"]} aria-label={displayName}>
      <div className={classes["head"]}>
        <h2 title={description === "" ? undefined : description}>{displayName}</h2>
        {count !== undefined && <span>{pluralize(count, "request")}</span>}
      </div>
      {requests === undefined ? (
        <WithoutData
          query={{ data, error, refetch: reloadFlows }}
          loading={{ label: `Loading the requests of ${displayName}`, rows: 3 }}
          failed="Failed to Load Flow Requests"
        />
      ) : (
        <div aria-busy={isPlaceholderData} className={classes["rows"]}>
          {requests.length === 0 ? (
            <p className={classes["none"]}>The group has no such requests.</p>
          ) : (
            <RequestsTable group={name} label={`Requests of ${displayName}`} requests={requests} />
          )}
        </div>
      )}
      {requests !== undefined && hasNextPage && requests.length !== count && (
        <Group gap="md" wrap="nowrap" pt="md" fz="xs" c="dimmed">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show More
          </Button>
          {error && !isFetching ? (
            <span role="alert">{`More requests could not be loaded. ${messagesOf(error).join(" ")}`}</span>
          ) : (
            <span role="status">
              {count === undefined
                ? `${formatCount(requests.length)} shown`
                : `${formatCount(requests.length)} of ${formatCount(count)} shown`}
            </span>
          )}
        </Group>
      )}
    </section>
  );
}
