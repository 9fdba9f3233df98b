import { passesRole } from "@fairway/contract/access";
import type { EnvironmentOverview, FlowDeployment, RunningFlow } from "@fairway/contract/flow-deployments";
import { compareNames } from "@fairway/contract/name-order";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { listCurrentDeployments } from "./deployments.ts";
import type { Environments } from "./environments.ts";

export interface LocatedFlow {
  readonly id: number;
  readonly name: string;
  readonly group: string;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly environments: Pick<Environments, "list">;
  /** Those of the flows that the user may know of. */
  readonly locateFlows: (flowIds: readonly number[]) => Promise<readonly LocatedFlow[]>;
}

/** The flows that run in each environment, as far as the user may know: without addresses and texts of failures. Decision 0470. */
export async function overviewFor(user: SignedInUser, { db, environments, locateFlows }: Parts): Promise<EnvironmentOverview[]> {
  const enabled = await environments.list();
  const deployments = await listCurrentDeployments(
    db,
    enabled.map(({ id }) => id),
  );
  const flows = new Map((await locateFlows([...new Set(deployments.map(({ flowId }) => flowId))])).map((flow) => [flow.id, flow]));
  const isAdmin = !user.lacksSecondFactor && passesRole(user.roles, "admin");
  return enabled
    .map(({ id, displayName, seen }) => ({
      id,
      displayName,
      seenMs: seen?.seenMs ?? null,
      flows: deployments
        .filter(({ environmentId }) => environmentId === id)
        .flatMap((deployment) => {
          const flow = flows.get(deployment.flowId);
          return flow ? [toRunningFlow(deployment, flow)] : [];
        })
        .sort((one, other) => compareNames(one.group, other.group) || compareNames(one.flowName, other.flowName)),
    }))
    .filter((environment) => isAdmin || environment.flows.length > 0);
}

const toRunningFlow = (deployment: FlowDeployment, { id, name, group }: LocatedFlow): RunningFlow => ({
  deploymentId: deployment.id,
  group,
  flowId: id,
  flowName: name,
  requestId: deployment.requestId,
  requestName: deployment.requestName,
  iterationId: deployment.iterationId,
  iterationNumber: deployment.iterationNumber,
  deployedTimeMs: deployment.deployedTimeMs,
  deployedByUsername: deployment.deployedByUsername,
  drift: deployment.drift,
  laterFailureMs: deployment.laterFailure?.failedMs ?? null,
});
