import type { DeployEnvironment, FlowDeployment, IfRunning } from "@fairway/contract/flow-deployments";
import type { FlowFormat } from "@fairway/contract/flow-requests";
import { Button, Checkbox } from "@mantine/core";
import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import { IconRocket } from "#ui/icons/rocket.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Select } from "#ui/select.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { FlowTime } from "../flow-time.tsx";
import { credentialsOf, noCredentials } from "./credentials.ts";
import { CredentialsFields } from "./credentials-fields.tsx";
import { deployEnvironmentsQuery, deploymentsQuery } from "./queries.ts";
import type { DeployOrder } from "./use-deploy.ts";
import classes from "./deploy.module.css";

export interface DeployableIteration {
  id: number;
  number: number;
  /** Unknown for iterations of other requests. */
  format?: FlowFormat;
}

/** Initial choices. */
export interface DeployPreset {
  /** May be of another request of the flow. */
  iteration: DeployableIteration;
  requestName: string;
  /** Undefined = to be chosen. */
  environmentId?: string;
  /** The deployment that is rolled back to or promoted. Undefined = a plain deployment. */
  origin?: { kind: Exclude<FlowDeployment["kind"], "deploy">; deployment: FlowDeployment };
}

export const deployVerbs: Readonly<Record<FlowDeployment["kind"], string>> = {
  deploy: "Deploy",
  rollback: "Roll Back",
  promotion: "Promote",
};

const ifRunningOptions: { value: IfRunning; label: string }[] = [
  { value: "stop-and-drain", label: "Stop it when its queues are empty" },
  { value: "stop", label: "Stop it now, data stays in its queues" },
  { value: "refuse", label: "Deploy nothing" },
];

interface Props {
  flowId: number;
  /** Oldest first. */
  iterations: readonly DeployableIteration[];
  preset: DeployPreset | undefined;
  /** False while it is hidden behind the progress of the deployment that it started. */
  isAsking: boolean;
  onDeploy: (order: DeployOrder) => void;
  onCancel: () => void;
}

export function DeployForm({ flowId, iterations, preset, isAsking, onDeploy, onCancel }: Props) {
  const environments = useQuery(deployEnvironmentsQuery);
  const { data: deployments } = useQuery(deploymentsQuery(flowId));
  const choices = preset && !iterations.some(({ id }) => id === preset.iteration.id) ? [preset.iteration] : iterations;
  const [iterationId, setIterationId] = useState<string | null>(() => textOf(preset?.iteration.id ?? choices.at(-1)?.id));
  const [environmentId, setEnvironmentId] = useState<string | null>(preset?.environmentId ?? null);
  const [typed, setTyped] = useState(noCredentials);
  useUnsavedChanges(isAsking && !sameContent(typed, noCredentials));
  const [ifRunning, setIfRunning] = useState<IfRunning>("stop-and-drain");
  const [isToStart, setToStart] = useState(false);
  const iteration = choices.find(({ id }) => String(id) === iterationId);
  const environment = environments.data?.find(({ id }) => id === environmentId);
  const current = deployments?.find((one) => one.isCurrent && one.environmentId === environment?.id);
  const isFirst = environment !== undefined && deployments !== undefined && current === undefined;
  const startNew = isFirst && isToStart;
  const credentials = credentialsOf(typed);
  const problem = iteration && problemOf(iteration, environment);
  const canDeploy = problem === undefined && iteration !== undefined && environment !== undefined && credentials !== undefined;
  const kind = preset?.origin && isStill(preset.origin, iteration, environment) ? preset.origin.kind : "deploy";
  const latest = iterations.at(-1)?.id;
  return (
    <form
      className={classes["form"]}
      autoComplete="off"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canDeploy) onDeploy({ iteration, environment, credentials, ifRunning, startNew });
      }}
    >
      {preset?.origin && <Origin {...preset.origin} />}
      <div className={classes["pair"]}>
        <Select
          label="Iteration"
          required
          allowDeselect={false}
          data={choices
            .toReversed()
            .map(({ id, number }) => ({ value: String(id), label: `Iteration ${number}${id === latest ? ", latest" : ""}` }))}
          value={iterationId}
          onChange={setIterationId}
        />
        <Select
          label="Environment"
          required
          allowDeselect={false}
          placeholder={environments.isPending ? "Loading environments" : "Choose an environment"}
          data={(environments.data ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
          value={environment ? environmentId : null}
          onChange={setEnvironmentId}
          data-autofocus
          nothingFoundMessage="There are no enabled flow environments."
        />
      </div>
      {environments.error && !environments.isFetching && (
        <div role="alert" className={classes["failure"]}>
          <p>Error loading flow environments.</p>
          <p>{messagesOf(environments.error).join(" ")}</p>
          <Button variant="default" size="compact-sm" onClick={() => void environments.refetch()}>
            Retry
          </Button>
        </div>
      )}
      {environments.data?.length === 0 && <p className={classes["help"]}>An administrator adds environments under Flow Environments.</p>}
      {environment && deployments && <WhatRuns environment={environment} current={current} startNew={startNew} />}
      {current && (
        <Select
          label="If a version is running"
          allowDeselect={false}
          data={ifRunningOptions}
          value={ifRunning}
          onChange={(chosen) => setIfRunning(ifRunningOptions.find(({ value }) => value === chosen)?.value ?? "stop-and-drain")}
        />
      )}
      {isFirst && (
        <Checkbox label="Start after deploying" checked={isToStart} onChange={(event) => setToStart(event.currentTarget.checked)} />
      )}
      {problem !== undefined && (
        <div role="alert" className={classes["failure"]}>
          <p>{problem}</p>
        </div>
      )}
      <CredentialsFields value={typed} onChange={setTyped} purpose="deployment" address={environment?.baseUrl} />
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!canDeploy} leftSection={<IconRocket size={16} aria-hidden />}>
          {deployVerbs[kind]}
        </Button>
      </div>
    </form>
  );
}

/** Why this NiFi does not take the iteration, so that nobody signs in for nothing. The gateway refuses it as well. */
function problemOf({ number, format }: DeployableIteration, environment: DeployEnvironment | undefined): string | undefined {
  if (format === "yaml") return `Iteration ${number} is YAML, which NiFi does not read. Add an iteration with a flow definition in JSON.`;
  if (format === "unknown") {
    return `Iteration ${number} is neither a flow definition in JSON nor a template in XML, and NiFi reads nothing else.`;
  }
  const version = environment?.seen?.version;
  if (format !== "xml" || version === undefined || /^[01]\./.test(version)) return undefined;
  return `NiFi ${version} has no templates. Export the flow as a flow definition in JSON.`;
}

const textOf = (id: number | undefined): string | null => (id === undefined ? null : String(id));

type DeployOrigin = NonNullable<DeployPreset["origin"]>;

/** Whether what is chosen is still what the dialog was opened for. */
function isStill(
  { kind, deployment }: DeployOrigin,
  iteration: { id: number } | undefined,
  environment: { id: string } | undefined,
): boolean {
  if (iteration !== undefined && iteration.id !== deployment.iterationId) return false;
  return environment === undefined || (environment.id === deployment.environmentId) === (kind === "rollback");
}

function Origin({ kind, deployment }: DeployOrigin) {
  const { iterationNumber, requestName, deployedEnvironmentName, deployedTimeMs, deployedByUsername } = deployment;
  return (
    <p className={classes["help"]}>
      {`Iteration ${iterationNumber} of ${requestName} was deployed to ${deployedEnvironmentName} `}
      <FlowTime epochMs={deployedTimeMs} />
      {` by ${deployedByUsername}${kind === "rollback" ? ", and replaced since" : ""}.`}
    </p>
  );
}

interface WhatRunsProps {
  environment: DeployOrder["environment"];
  current: FlowDeployment | undefined;
  startNew: boolean;
}

function WhatRuns({ environment, current, startNew }: WhatRunsProps) {
  return (
    <div className={classes["current"]} role="status">
      <IconInfoCircle size={16} stroke={1.75} aria-hidden />
      {current ? (
        <div>
          <p>
            <strong>{environment.displayName}</strong> has <strong>{`Iteration ${current.iterationNumber}`}</strong>
            {` of ${current.requestName}, deployed `}
            <FlowTime epochMs={current.deployedTimeMs} />
            {` by ${current.deployedByUsername}.`}
          </p>
          {current.laterFailure && <p>{`A later deployment failed and left something else there: ${current.laterFailure.text}`}</p>}
          {current.drift?.isSame === false && <p>It was changed in NiFi since. Deploying replaces these changes.</p>}
        </div>
      ) : (
        <p>
          <strong>{environment.displayName}</strong>
          {" does not have this flow yet."}
          {!startNew && " A first deployment is left stopped: start it in NiFi."}
        </p>
      )}
    </div>
  );
}
