import { type DriftReport, driftChangesListed, type flowDeployments } from "@fairway/contract/flow-deployments";
import type { FlowChange } from "@fairway/contract/flow-differences";
import type { BodyOf } from "@fairway/contract/route";
import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import type { Database } from "#database/schema.ts";
import type { FlowDefinitions } from "#flow-definitions/flow-definitions.ts";
import { Refusal } from "#http/refusal.ts";
import { NifiFailed } from "#nifi/failure.ts";
import { isTemplate } from "#nifi/flow-content.ts";
import { readDeployed } from "#nifi/read-nifi.ts";
import type { EngineCall } from "#query/engine.ts";
import { recordDrift, savedDefinition, type StoredDeployment } from "./deployments.ts";
import type { Environments } from "./environments.ts";
import { refusalOf } from "./refusals.ts";
import type { DeploymentRuns } from "./runs.ts";

type DriftCheck = NonNullable<BodyOf<typeof flowDeployments.checkDrift>>;

export interface DriftParts {
  readonly db: Kysely<Database>;
  readonly environments: Environments;
  readonly runs: DeploymentRuns;
  readonly definitions: Pick<FlowDefinitions, "compare">;
  readonly log: Pick<BaseLogger, "warn">;
}

/**
 * Compares what the NiFi holds with what it showed right after the deployment, so that what NiFi itself adds to a definition is no
 * difference; with the iteration if that could not be read. Decision 0456.
 */
export async function checkDrift(
  { db, environments, runs, definitions, log }: DriftParts,
  deployment: StoredDeployment,
  iterationContent: string,
  { expectedBaseUrl, ...credentials }: DriftCheck = {},
  call: EngineCall,
): Promise<DriftReport> {
  const { flowId, environmentId } = deployment;
  if (!deployment.isCurrent) {
    throw new Refusal("conflict", `A later deployment of the flow has replaced this one in ${deployment.deployedEnvironmentName}.`);
  }
  const environment = await environments.require(environmentId, expectedBaseUrl);
  if (await runs.isActive({ flowId, environmentId })) {
    throw new Refusal("conflict", `The flow is being deployed to ${environment.displayName}. Wait until that has ended.`);
  }
  try {
    const client = environments.client(environment, credentials);
    const present = await readDeployed(client, deployment.processGroupId);
    const deployed = await savedDefinition(db, deployment);
    if (deployed === undefined && isTemplate(iterationContent)) {
      throw new Refusal(
        "upstream-failed",
        `Drift cannot be checked: what NiFi made of the XML template of Iteration ${deployment.iterationNumber} could not be read after the deployment, and the template itself cannot be compared with it. Deploy the iteration again to check later changes.`,
      );
    }
    const comparison = await definitions.compare(deployed ?? iterationContent, present, call);
    if (comparison.outcome !== "compared") throw new Refusal("upstream-failed", comparison.sentence);
    const isByPortal = (change: FlowChange) => deployed === undefined && isNameOfDeployment(change);
    const changes = comparison.changes.filter((change) => change.category === "behavior" && !isByPortal(change));
    const total = comparison.counts.behavior - comparison.changes.filter(isByPortal).length;
    const checkedMs = await recordDrift(db, deployment.id, total);
    await environments
      .saveFacts(environment, client)
      .catch((error: unknown) => log.warn({ err: error, environment: environment.name }, "could not read what a NiFi has"));
    return { checkedMs, isSame: total === 0, changes: changes.slice(0, driftChangesListed), total };
  } catch (error) {
    if (!(error instanceof NifiFailed)) throw error;
    if (error.reason !== "missing") throw refusalOf(error);
    throw new Refusal(
      "upstream-failed",
      `The NiFi of ${environment.displayName} no longer has this flow: its process group was deleted there. Deploy it again to bring it back.`,
    );
  }
}

/** The portal names the outermost group after the flow. */
const isNameOfDeployment = ({ kind, component }: FlowChange): boolean =>
  kind === "renamed" && component.kind === "process-group" && component.groupPath.length === 0;
