import type { FlowGroupSummary } from "@fairway/contract/flows";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RelativeTime } from "#ui/relative-time.tsx";
import { together, WithoutData } from "#ui/kit/query-state.tsx";
import { reviewRequestsQuery } from "../queries.ts";
import classes from "./side.module.css";

const maxShown = 20;

/** The requests that wait for a review by the user, the longest waiting first. */
export function ReviewList({ groups }: { groups: readonly FlowGroupSummary[] }) {
  const waiting = groups.filter(({ needsMyReview }) => needsMyReview > 0);
  const lists = useQueries({ queries: waiting.map(({ name }) => reviewRequestsQuery(name)) });
  const all = together(...lists);
  const requests = waiting
    .flatMap(({ name: group }, index) => (lists[index]?.data ?? []).map((request) => ({ group, request })))
    .sort((one, other) => one.request.lastUpdatedMs - other.request.lastUpdatedMs);
  return (
    <aside className={classes["section"]} aria-labelledby="needs-my-review">
      <h2 id="needs-my-review">Needs my review</h2>
      {all.data === undefined ? (
        <WithoutData
          query={all}
          loading={{ label: "Loading what needs your review", rows: 2, rowHeight: 52 }}
          failed="Failed to Load Flow Requests"
        />
      ) : requests.length === 0 ? (
        <p className={classes["none"]}>Nothing is waiting for your review.</p>
      ) : (
        <ul>
          {requests.slice(0, maxShown).map(({ group, request: { id, name, flowId, flowName, lastUpdatedMs, creatorUsername } }) => (
            <li key={id}>
              <Link
                to="/niflow-requests/$groupName/$flowId/$requestId"
                params={{ groupName: group, flowId: String(flowId), requestId: String(id) }}
              >
                {name}
              </Link>
              <small>
                {flowName}, updated <RelativeTime epochMs={lastUpdatedMs} />, by {creatorUsername}
              </small>
            </li>
          ))}
        </ul>
      )}
      {requests.length > maxShown && (
        <Link to="/niflow-requests" search={{ show: "review" }} className={classes["all"]}>
          {`All ${requests.length} that need my review`}
        </Link>
      )}
    </aside>
  );
}
