import type { DriftReport, FlowDeployment } from "@fairway/contract/flow-deployments";
import type { FlowRequest } from "@fairway/contract/flow-requests";
import { Button, Stack } from "@mantine/core";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconArrowBackUp } from "#ui/icons/arrow-back-up.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconRocket } from "#ui/icons/rocket.ts";
import { useQuery } from "@tanstack/react-query";
import { useResultZone } from "#lib/time/result-zone.ts";
import { zonedText } from "#lib/time/time-zone.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
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

/** Past deployments to each environment, and their actions. */
export function HistoryDialog({ opened, request, onClose, ...actions }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Deployment History" size={1120} fillsPhone>
      {opened && <History request={request} {...actions} />}
    </Dialog>
  );
}

function History({ request: { flowId, flowName }, ...actions }: Omit<Props, "opened" | "onClose">) {
  return (
    <Stack gap="md" miw={0}>
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
      <QueryState
        query={useQuery(deploymentsQuery(flowId))}
        loading={{ label: "Loading deployments", rows: 4 }}
        failed="Error loading deployments."
        empty={{ text: "This flow hasn't been deployed yet." }}
      >
        {(deployments) => <Deployments deployments={deployments} {...actions} />}
      </QueryState>
    </Stack>
  );
}

function Deployments({ deployments, ...actions }: Actions & { deployments: readonly FlowDeployment[] }) {
  return (
    <div className={classes["scroll"]}>
      <DataTable
        columns={columnsOf(deployments, actions)}
        rows={deployments}
        rowKey={({ id }) => id}
        noteOf={notesOf(actions)}
        hasCardsOnPhone
        className={classes["table"]}
      />
    </div>
  );
}

const columnsOf = (deployments: readonly FlowDeployment[], actions: Actions): readonly TableColumn<FlowDeployment>[] => [
  {
    id: "time",
    header: "Deploy Time",
    sorted: "descending",
    nowrap: true,
    cell: ({ deployedTimeMs }) => <FlowTime epochMs={deployedTimeMs} />,
  },
  { id: "by", header: "Deployed By", nowrap: true, phoneLabel: "Deployed By", cell: ({ deployedByUsername }) => deployedByUsername },
  {
    id: "environment",
    header: "Environment Name",
    nowrap: true,
    phoneLabel: "Environment",
    cell: ({ deployedEnvironmentName }) => deployedEnvironmentName,
  },
  { id: "url", header: "Base URL", mono: true, className: classes["url"], cell: ({ deployedBaseUrl }) => deployedBaseUrl },
  {
    id: "iteration",
    header: "Iteration",
    className: classes["iteration"],
    cell: ({ iterationNumber, requestName }) => (
      <>
        {`Iteration ${iterationNumber} `}
        <span className={classes["requestName"]}>{`of ${requestName}`}</span>
      </>
    ),
  },
  { id: "state", header: "State", nowrap: true, cell: (deployment) => <State deployment={deployment} /> },
  {
    id: "actions",
    header: <span className="visually-hidden">Actions</span>,
    nowrap: true,
    className: classes["rowActions"],
    cell: (deployment) => <RowButtons deployment={deployment} again={againAs(deployment, deployments)} {...actions} />,
  },
];

/** For a current deployment: what a check for drift found, or what a later one left. */
const notesOf =
  ({ reports, onDeploy }: Actions) =>
  (deployment: FlowDeployment) => {
    const { id, isCurrent, laterFailure, drift, environmentId } = deployment;
    const report = reports.get(id);
    if (!isCurrent || (report === undefined && laterFailure === null && drift?.isSame !== false)) return null;
    const from: HistoryButton = { deploymentId: id, action: "drift" };
    return <Note deployment={deployment} report={report} onDeploy={() => onDeploy({ ...presetOf(deployment), environmentId }, from)} />;
  };

const presetOf = ({ iterationId, iterationNumber, requestName }: FlowDeployment): DeployPreset => ({
  iteration: { id: iterationId, number: iterationNumber },
  requestName,
});

/**
 * Kind of a repeated deployment; undefined for the iteration that the environment has now. By the rule of the gateway: iterations of a flow
 * are older the smaller their ids are.
 */
function againAs({ environmentId, iterationId }: FlowDeployment, all: readonly FlowDeployment[]): "rollback" | "deploy" | undefined {
  const current = all.find((one) => one.isCurrent && one.environmentId === environmentId);
  if (current?.iterationId === iterationId) return undefined;
  return current !== undefined && iterationId < current.iterationId ? "rollback" : "deploy";
}

interface RowButtonsProps extends Actions {
  deployment: FlowDeployment;
  /** Kind of a repeated deployment; undefined if that is not offered. */
  again: "rollback" | "deploy" | undefined;
}

function RowButtons({ deployment, again, returnTo, onDeploy, onCheckDrift }: RowButtonsProps) {
  const { iterationNumber, requestName, environmentId, deployedEnvironmentName, isCurrent } = deployment;
  const zone = useResultZone();
  const preset = presetOf(deployment);
  const named = `Iteration ${iterationNumber} of ${requestName} in ${deployedEnvironmentName}`;
  const from = (action: HistoryButton["action"]): HistoryButton => ({ deploymentId: deployment.id, action });
  const focusAfter = (action: HistoryButton["action"]) =>
    returnTo?.deploymentId === deployment.id && returnTo.action === action ? { "data-autofocus": true } : {};
  // One iteration may have been deployed there several times.
  const namedWithTime = `${named}, deployed ${zonedText(deployment.deployedTimeMs, zone) ?? ""}`;
  return (
    <>
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
    </>
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
