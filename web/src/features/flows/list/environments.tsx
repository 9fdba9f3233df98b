import { passesRole } from "@fairway/contract/access";
import type { EnvironmentOverview, RunningFlow } from "@fairway/contract/flow-deployments";
import type { FlowGroupSummary } from "@fairway/contract/flows";
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { RelativeTime } from "#ui/relative-time.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { deploymentOverviewQuery } from "../deploy/queries.ts";
import classes from "./side.module.css";

/** More are shown on request. */
const flowsShown = 6;

/** Flows that run in each environment. Members see them once a flow of their groups was deployed, administrators always. */
export function Environments({ groups }: { groups: readonly FlowGroupSummary[] }) {
  const { roles } = useCurrentUser();
  const isAdmin = passesRole(roles, "admin");
  const { data, error, isFetching, refetch } = useQuery(deploymentOverviewQuery);
  const hasFailed = data === undefined && error !== null && !isFetching;
  if (!isAdmin && !hasFailed && (data ?? []).length === 0) return null;
  return (
    <aside className={classes["section"]} aria-labelledby="flow-environments">
      <h2 id="flow-environments">Environments</h2>
      {hasFailed && <ErrorState message="Failed to Load Environments" details={messagesOf(error)} onRetry={() => void refetch()} />}
      {data === undefined && !hasFailed && <LoadingRows label="Loading environments" rows={2} rowHeight={52} />}
      {data?.length === 0 && <p className={classes["none"]}>An administrator adds environments under Flow Environments.</p>}
      {data?.map((environment) => (
        <Environment key={environment.id} environment={environment} groups={groups} isAdmin={isAdmin} />
      ))}
    </aside>
  );
}

interface EnvironmentProps {
  environment: EnvironmentOverview;
  groups: readonly FlowGroupSummary[];
  isAdmin: boolean;
}

function Environment({ environment: { displayName, seenMs, flows }, groups, isAdmin }: EnvironmentProps) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  // Flows that need a look are never among those that are left out.
  const sorted = flows.toSorted((one, other) => Number(isDoubtful(other)) - Number(isDoubtful(one)));
  return (
    <div className={classes["environment"]}>
      <h3 id={id}>{displayName}</h3>
      <small>
        {seenMs === null ? (
          "NiFi has not answered yet"
        ) : (
          <>
            NiFi last answered <RelativeTime epochMs={seenMs} />
          </>
        )}
      </small>
      {flows.length === 0 ? (
        <p className={classes["none"]}>No flow is deployed here.</p>
      ) : (
        <ul aria-labelledby={id}>
          {sorted.slice(0, isWhole ? undefined : flowsShown).map((flow) => (
            <Running key={flow.flowId} flow={flow} group={groups.length > 1 ? groupName(groups, flow) : undefined} isAdmin={isAdmin} />
          ))}
        </ul>
      )}
      {!isWhole && flows.length > flowsShown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {`Show All ${flows.length.toLocaleString("en-US")}`}
        </Button>
      )}
    </div>
  );
}

const groupName = (groups: readonly FlowGroupSummary[], { group }: RunningFlow): string =>
  groups.find(({ name }) => name === group)?.displayName ?? group;

const isDoubtful = ({ drift, laterFailureMs }: RunningFlow): boolean => laterFailureMs !== null || drift?.isSame === false;

interface RunningProps {
  flow: RunningFlow;
  /** Undefined if there is only one. */
  group: string | undefined;
  isAdmin: boolean;
}

/** Leads to the request that was deployed: for administrators, to the history of the deployments there. */
function Running({ flow, group, isAdmin }: RunningProps) {
  const { flowId, flowName, requestId, requestName, iterationNumber, deployedTimeMs, deployedByUsername } = flow;
  return (
    <li>
      <Link
        to="/niflow-requests/$groupName/$flowId/$requestId"
        params={{ groupName: flow.group, flowId: String(flowId), requestId: String(requestId) }}
        search={isAdmin ? { deployments: "open" } : {}}
      >
        {flowName}
      </Link>
      {group !== undefined && <span className={classes["group"]}>{` in ${group}`}</span>}
      <small className={classes["request"]} title={requestName}>
        {`Iteration ${iterationNumber} of ${requestName}`}
      </small>
      <small>
        Deployed <RelativeTime epochMs={deployedTimeMs} /> by {deployedByUsername}
      </small>
      <State flow={flow} />
    </li>
  );
}

function State({ flow: { drift, laterFailureMs } }: { flow: RunningFlow }) {
  if (laterFailureMs !== null)
    return (
      <Warning>
        Uncertain: a later deployment failed <RelativeTime epochMs={laterFailureMs} />
      </Warning>
    );
  if (drift === null) return <small>Not checked for drift yet</small>;
  const checked = (
    <>
      , checked <RelativeTime epochMs={drift.checkedMs} />
    </>
  );
  if (drift.isSame) return <small>As deployed{checked}</small>;
  return (
    <Warning>
      {`Differs in ${drift.changes === 1 ? "1 place" : `${drift.changes.toLocaleString("en-US")} places`}`}
      {checked}
    </Warning>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <small className={classes["warning"]}>
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </small>
  );
}
