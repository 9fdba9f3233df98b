import type { DriftReport, FlowDeployment } from "@fairway/contract/flow-deployments";
import type { FlowRequest } from "@fairway/contract/flows";
import { Button } from "@mantine/core";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconArrowBackUp } from "#ui/icons/arrow-back-up.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconRocket } from "#ui/icons/rocket.ts";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { useResultZone } from "#lib/result-zone.ts";
import { zonedText } from "#lib/time-zone.ts";
import { Dialog } from "#ui/dialog.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import { FlowTime } from "../flow-time.tsx";
import type { DeployPreset } from "./deploy-form.tsx";
import { deploymentsQuery } from "./queries.ts";
import classes from "./deploy.module.css";

interface Actions {
  /** The button that opened what was shown instead: it has the focus again. */
  returnTo: HistoryButton | null;
  /** By deployment, of the checks since the page was opened. */
  reports: ReadonlyMap<number, DriftReport>;
  onDeploy: (preset: DeployPreset | undefined, from: HistoryButton) => void;
  onCheckDrift: (deployment: FlowDeployment) => void;
}

/** A button of the history; without a deployment the one above the list. */
export interface HistoryButton {
  deploymentId: number | null;
  action: "deploy" | "promote" | "drift" | "again";
}

interface Props extends Actions {
  opened: boolean;
  request: Pick<FlowRequest, "flowId" | "flowName">;
  onClose: () => void;
}

/** What was deployed where, and what can be done with it. */
export function HistoryDialog({ opened, request, onClose, ...actions }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Deployment History" size={1120} fillsPhone>
      {opened && <History request={request} {...actions} />}
    </Dialog>
  );
}

function History({ request: { flowId, flowName }, ...actions }: Omit<Props, "opened" | "onClose">) {
  const { data, error, isFetching, refetch } = useQuery(deploymentsQuery(flowId));
  return (
    <div className={classes["history"]}>
      <div className={classes["historyHead"]}>
        <p className={classes["sub"]}>{flowName}</p>
        <TimeZoneToggle />
        <Button
          size="compact-md"
          leftSection={<IconRocket size={16} aria-hidden />}
          data-autofocus={actions.returnTo?.deploymentId === null || undefined}
          onClick={() => actions.onDeploy(undefined, { deploymentId: null, action: "deploy" })}
        >
          Deploy
        </Button>
      </div>
      {data === undefined && error && !isFetching && (
        <ErrorState message="Error loading deployments." details={messagesOf(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && (!error || isFetching) && <LoadingRows label="Loading deployments" rows={4} />}
      {data?.length === 0 && <EmptyState>This flow hasn't been deployed yet.</EmptyState>}
      {data !== undefined && data.length > 0 && <Deployments deployments={data} {...actions} />}
    </div>
  );
}

function Deployments({ deployments, ...actions }: Actions & { deployments: readonly FlowDeployment[] }) {
  return (
    <div className={classes["scroll"]}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            {["Deploy Time", "Deployed By", "Environment Name", "Base URL", "Iteration", "State"].map((name) => (
              <th key={name} scope="col" {...(name === "Deploy Time" ? { "aria-sort": "descending" as const } : {})}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className={classes["visuallyHidden"]}>Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deployments.map((deployment) => (
            <Row key={deployment.id} deployment={deployment} again={againAs(deployment, deployments)} {...actions} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * What deploying it again would be; undefined for the iteration that the environment has now. As the gateway tells it: iterations of a
 * flow are older the smaller their ids are.
 */
function againAs({ environmentId, iterationId }: FlowDeployment, all: readonly FlowDeployment[]): "rollback" | "deploy" | undefined {
  const current = all.find((one) => one.isCurrent && one.environmentId === environmentId);
  if (current?.iterationId === iterationId) return undefined;
  return current !== undefined && iterationId < current.iterationId ? "rollback" : "deploy";
}

interface RowProps extends Actions {
  deployment: FlowDeployment;
  /** What deploying it again would be; undefined if that is not offered. */
  again: "rollback" | "deploy" | undefined;
}

function Row({ deployment, again, returnTo, reports, onDeploy, onCheckDrift }: RowProps) {
  const { iterationId, iterationNumber, requestName, environmentId, deployedEnvironmentName, isCurrent } = deployment;
  const zone = useResultZone();
  const report = reports.get(deployment.id);
  const note = isCurrent && (report !== undefined || deployment.laterFailure !== null || deployment.drift?.isSame === false);
  const preset: DeployPreset = { iteration: { id: iterationId, number: iterationNumber }, requestName };
  const named = `Iteration ${iterationNumber} of ${requestName} in ${deployedEnvironmentName}`;
  const from = (action: HistoryButton["action"]): HistoryButton => ({ deploymentId: deployment.id, action });
  const focusAfter = (action: HistoryButton["action"]) =>
    returnTo?.deploymentId === deployment.id && returnTo.action === action ? { "data-autofocus": true } : {};
  // One iteration may have been deployed there several times.
  const namedWithTime = `${named}, deployed ${zonedText(deployment.deployedTimeMs, zone) ?? ""}`;
  return (
    <Fragment>
      <tr data-has-note={note || undefined}>
        <td>
          <FlowTime epochMs={deployment.deployedTimeMs} />
        </td>
        <td data-label="Deployed By">{deployment.deployedByUsername}</td>
        <td data-label="Environment">{deployedEnvironmentName}</td>
        <td className={classes["url"]}>{deployment.deployedBaseUrl}</td>
        <td className={classes["iteration"]}>
          {`Iteration ${iterationNumber} `}
          <span className={classes["requestName"]}>{`of ${requestName}`}</span>
        </td>
        <td>
          <State deployment={deployment} />
        </td>
        <td className={classes["rowActions"]}>
          {isCurrent && (
            <>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconRefresh size={14} aria-hidden />}
                aria-label={`Check for drift: ${named}`}
                {...focusAfter("drift")}
                onClick={() => onCheckDrift(deployment)}
              >
                Check for Drift
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconArrowUp size={14} aria-hidden />}
                aria-label={`Promote: ${named}`}
                {...focusAfter("promote")}
                onClick={() => onDeploy({ ...preset, origin: { kind: "promotion", deployment } }, from("promote"))}
              >
                Promote
              </Button>
            </>
          )}
          {!isCurrent && again === "rollback" && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              aria-label={`Roll back to: ${namedWithTime}`}
              {...focusAfter("again")}
              onClick={() => onDeploy({ ...preset, environmentId, origin: { kind: "rollback", deployment } }, from("again"))}
            >
              Roll Back to This
            </Button>
          )}
          {!isCurrent && again === "deploy" && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconRocket size={14} aria-hidden />}
              aria-label={`Deploy this: ${namedWithTime}`}
              {...focusAfter("again")}
              onClick={() => onDeploy({ ...preset, environmentId }, from("again"))}
            >
              Deploy This
            </Button>
          )}
        </td>
      </tr>
      {note && (
        <tr className={classes["noteRow"]}>
          <td colSpan={7}>
            <Note deployment={deployment} report={report} onDeploy={() => onDeploy({ ...preset, environmentId }, from("drift"))} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function State({ deployment: { isCurrent, laterFailure, drift, kind } }: { deployment: FlowDeployment }) {
  if (!isCurrent) return <span className={classes["muted"]}>Replaced</span>;
  if (laterFailure) return <span className={classes["warning"]}>Uncertain</span>;
  if (drift)
    return drift.isSame ? <span className={classes["same"]}>As deployed</span> : <span className={classes["warning"]}>Differs</span>;
  return <span>{kinds[kind]}</span>;
}

const kinds: Readonly<Record<FlowDeployment["kind"], string>> = { deploy: "Deployed", rollback: "Rolled back", promotion: "Promoted" };
const places = (count: number): string => (count === 1 ? "1 place" : `${count.toLocaleString("en-US")} places`);
/** More are counted only. */
const changesShown = 50;

interface NoteProps {
  deployment: FlowDeployment;
  report: DriftReport | undefined;
  onDeploy: () => void;
}

function Note({ deployment, report, onDeploy }: NoteProps) {
  const { laterFailure, deployedEnvironmentName, iterationNumber, drift } = deployment;
  const checked = report ?? (drift && { checkedMs: drift.checkedMs, isSame: drift.isSame, total: drift.changes, changes: [] });
  const changes = checked?.changes.slice(0, changesShown) ?? [];
  const isFine = laterFailure === null && checked?.isSame === true;
  return (
    <div className={classes[isFine ? "note" : "warningNote"]} role="status">
      {laterFailure && (
        <p>
          {`A later deployment failed `}
          <RelativeTime epochMs={laterFailure.failedMs} />
          {` and left something else: ${laterFailure.text}`}
        </p>
      )}
      {checked && (
        <p>
          <strong>
            {checked.isSame
              ? `${deployedEnvironmentName} holds Iteration ${iterationNumber} as it was deployed`
              : `${deployedEnvironmentName} differs from Iteration ${iterationNumber} in ${places(checked.total)}`}
          </strong>
          {", checked "}
          <RelativeTime epochMs={checked.checkedMs} />
        </p>
      )}
      {changes.length > 0 && (
        <ul>
          {changes.map(({ kind, component, sentence }) => (
            <li key={`${kind} ${component.id} ${sentence}`}>{sentence}</li>
          ))}
          {(checked?.total ?? 0) > changes.length && (
            <li>{`and ${((checked?.total ?? 0) - changes.length).toLocaleString("en-US")} more`}</li>
          )}
        </ul>
      )}
      {/* Only the number is stored. */}
      {checked && !checked.isSame && changes.length === 0 && <p>Check for drift again to see what differs.</p>}
      {!isFine && (
        <Button variant="default" size="compact-sm" leftSection={<IconRocket size={14} aria-hidden />} onClick={onDeploy}>
          {`Deploy Iteration ${iterationNumber} Again`}
        </Button>
      )}
    </div>
  );
}
