import { flowRequestStatus, isFinal } from "@fairway/contract/flow-requests";
import { Button } from "@mantine/core";
import { IconMessage } from "#ui/icons/message.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { flowGroupsQuery } from "#parts/flow-groups/queries.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import { DeploymentBadge } from "../deploy/deployment-badge.tsx";
import { FlowTime } from "../flow-time.tsx";
import { StatusMark } from "../status-mark.tsx";
import { RequestActions } from "./request-actions.tsx";
import { useRequest } from "./request-context.ts";
import { useIsPhone } from "./use-is-phone.ts";
import { ReviewerButton } from "./reviewer-button.tsx";
import classes from "./request.module.css";

/**
 * Name and status of the request, where it belongs, who takes part in it, and what can be done with it.
 * @param props.onComments shows the comments, where there is no room beside the content
 */
export function RequestHeader({ onComments }: { onComments: (() => void) | undefined }) {
  const { ids, request, iterations } = useRequest();
  const { data: groups = [] } = useQuery(flowGroupsQuery);
  const isPhone = useIsPhone();
  const [isUnfolded, setUnfolded] = useState(false);
  const hasFacts = !isPhone || isUnfolded;
  const { name, reason, status, id, flowName, createdDateMs, creatorUsername, reviewerUsername } = request;
  const isReviewed = reviewerUsername !== null;
  return (
    <PageHeader
      title={name}
      isSubtitleLong
      badges={<StatusMark status={status} />}
      subtitle={
        <span className={classes["subtitle"]}>
          <span>
            <Link to="/niflow-flows/$groupName/$flowId" params={{ groupName: ids.group, flowId: String(ids.flowId) }}>
              {flowName}
            </Link>
            {" in "}
            <Link to="/niflow-flows">{groups.find((group) => group.name === ids.group)?.displayName ?? ids.group}</Link>
            {hasFacts && (
              <>
                {`, request ${id}, created `}
                <FlowTime epochMs={createdDateMs} />
                {` by ${creatorUsername}`}
                {isReviewed && `, ${isFinal(status) ? "reviewed" : "in review"} by ${reviewerUsername}`}
                {!isReviewed && status === flowRequestStatus.readyForReview && ", no reviewer yet"}
              </>
            )}
          </span>
          {hasFacts && <TimeZoneToggle />}
          {isPhone && (
            <button type="button" className={classes["unfold"]} aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
              Details
            </button>
          )}
          {hasFacts && reason !== "" && <span className={classes["reason"]}>{reason}</span>}
        </span>
      }
    >
      {onComments && (
        <Button variant="default" leftSection={<IconMessage size={16} aria-hidden />} onClick={onComments}>
          <span className={classes["wide"]}>Comments </span>
          {request.comments.toLocaleString("en-US")}
        </Button>
      )}
      <DeploymentBadge request={request} iterations={iterations} />
      <ReviewerButton />
      <RequestActions />
    </PageHeader>
  );
}
