import {
  type DeployEnvironment,
  type DeploymentStep,
  type EnvironmentOverview,
  type FlowDeployment,
  flowDeployments,
  type RunningDeployment,
  type RunningFlow,
} from "@fairway/contract/flow-deployments";
import { Refused } from "./contract-gateway.ts";
import { flowCreatedMs } from "./flows.ts";
import { gateway } from "./open-screen.tsx";

export const staging: DeployEnvironment = {
  id: "staging",
  displayName: "Staging",
  baseUrl: "https://nifi-staging.example.com",
  seen: { version: "1.18.0", seenMs: flowCreatedMs },
};
export const production: DeployEnvironment = {
  id: "production",
  displayName: "Production",
  baseUrl: "https://nifi.example.com",
  seen: null,
};

/** The current deployment of iteration 2 (142) of request 14 to staging. */
export const buildDeployment = (id: number, overrides: Partial<FlowDeployment> = {}): FlowDeployment => ({
  id,
  deployedTimeMs: flowCreatedMs + id * 3_600_000,
  deployedByUsername: "admin",
  deployedEnvironmentName: staging.displayName,
  deployedBaseUrl: staging.baseUrl,
  environmentId: staging.id,
  flowId: 1,
  requestId: 14,
  requestName: "Larger batches for best-track",
  iterationId: 142,
  iterationNumber: 2,
  kind: "deploy",
  isCurrent: true,
  laterFailure: null,
  warnings: [],
  drift: null,
  ...overrides,
});

/** A flow of the group weather in an environment, deployed three hours ago. */
export const buildRunningFlow = (flowId: number, flowName: string, overrides: Partial<RunningFlow> = {}): RunningFlow => ({
  deploymentId: flowId,
  group: "weather",
  flowId,
  flowName,
  requestId: 14,
  requestName: "Larger batches",
  iterationId: 142,
  iterationNumber: 2,
  deployedTimeMs: Date.now() - 3 * 3_600_000,
  deployedByUsername: "admin",
  drift: null,
  laterFailureMs: null,
  ...overrides,
});

export const buildEnvironment = (displayName: string, flows: RunningFlow[]): EnvironmentOverview => ({
  id: displayName.toLowerCase(),
  displayName,
  seenMs: flows.length === 0 ? null : Date.now() - 5 * 60_000,
  flows,
});

export const buildStep = (name: string, state: DeploymentStep["state"], text = ""): DeploymentStep => ({
  name,
  state,
  text,
  startedMs: flowCreatedMs,
  durationMs: state === "running" ? null : 400,
});

export interface Served {
  /** Newest first. */
  deployments: FlowDeployment[];
  /** Null: none is running. */
  running: RunningDeployment | null;
}

/** Makes the gateway serve environments and these deployments of flow 1, newest first. A deployment succeeds and is added. */
export function serveDeployments(
  deployments: readonly FlowDeployment[] = [],
  { environments = [production, staging] }: { environments?: DeployEnvironment[] } = {},
): Served {
  const served: Served = { deployments: [...deployments], running: null };
  gateway.answer(flowDeployments.ofFlow, () => served.deployments);
  gateway.answer(flowDeployments.environments, environments);
  gateway.answer(flowDeployments.running, () => served.running);
  gateway.answer(flowDeployments.deploy, ({ params }) => {
    const environment = environments.find(({ id }) => id === params.environmentId);
    if (!environment) throw new Refused("not-found", "There is no such flow environment.");
    const created = buildDeployment(Math.max(0, ...served.deployments.map(({ id }) => id)) + 1, {
      iterationId: params.id,
      iterationNumber: params.id - 140,
      environmentId: environment.id,
      deployedEnvironmentName: environment.displayName,
      deployedBaseUrl: environment.baseUrl,
    });
    served.running = runningOf(environment.id, "done", [buildStep("Sign in to NiFi", "done"), buildStep("Replace the flow", "done")]);
    served.deployments = [
      created,
      ...served.deployments.map((one) => (one.environmentId === environment.id ? { ...one, isCurrent: false } : one)),
    ];
    return created;
  });
  return served;
}

export const runningOf = (
  environmentId: string,
  state: RunningDeployment["state"],
  steps: readonly DeploymentStep[],
): RunningDeployment => ({ environmentId, startedMs: flowCreatedMs, deployedByUsername: "ada", state, steps: [...steps] });
