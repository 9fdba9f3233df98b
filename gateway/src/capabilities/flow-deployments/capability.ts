import { flowDeployments as contract } from "@fairway/contract/flow-deployments";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { EntityStore } from "#entities/store.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { Slots } from "#query/slots.ts";
import { type DeployableIteration, Deployer, type DeployerParts } from "./deployer.ts";
import { findDeployment, listDeployments } from "./deployments.ts";
import { checkDrift, type DriftParts } from "./drift-check.ts";
import { type EnvironmentFacts, Environments } from "./environments.ts";
import { type LocatedFlow, overviewFor } from "./overview.ts";
import { requireTaken } from "./refusals.ts";
import { DeploymentRuns } from "./runs.ts";

/** The flows that are deployed. Whatever the user may not know of is undefined or false. */
interface Flows {
  readonly findIteration: (user: SignedInUser, iterationId: number) => Promise<DeployableIteration | undefined>;
  /** The same without reading the content: whether the user may know of the iteration. */
  readonly locateIteration: (user: SignedInUser, iterationId: number) => Promise<object | undefined>;
  readonly hasFlow: (user: SignedInUser, flowId: number) => Promise<boolean>;
  /** Those of the flows that the user may know of. */
  readonly locateFlows: (user: SignedInUser, flowIds: readonly number[]) => Promise<readonly LocatedFlow[]>;
  /** Adds the deployment to the timeline of the request, and notifies. */
  readonly recordDeployed: (iterationId: number, username: string, environmentName: string) => Promise<void>;
}

interface Parts extends Pick<DeployerParts, "db" | "live" | "log">, Pick<DriftParts, "definitions"> {
  readonly flows: Flows;
  readonly entities: Pick<EntityStore, "list">;
  readonly addresses: AddressPolicy;
  /** For tests. */
  readonly timing?: Partial<Pick<DeployerParts, "renewMs" | "closeMs" | "retryMs"> & { readonly staleSeconds: number }>;
}

export interface FlowDeployments extends Capability {
  /** Facts about the NiFi of an enabled environment when it was last seen; undefined if it never was at its present address. */
  readonly environmentFacts: (environmentId: string) => Promise<EnvironmentFacts | undefined>;
}

/** Each holds two flow definitions of many megabytes. */
const driftCheckLimits = { perOwner: 2, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity };

const defaultTiming = { renewMs: 5_000, staleSeconds: 30, closeMs: 15_000, retryMs: [1_000, 2_000, 4_000, 8_000] };

/** Deploys iterations of flows to the NiFi of environments. Credentials are only used during the call that brings them. */
export async function openFlowDeployments({
  db,
  live,
  log,
  flows,
  entities,
  addresses,
  definitions,
  timing,
}: Parts): Promise<FlowDeployments> {
  const { staleSeconds, ...deployerTiming } = { ...defaultTiming, ...timing };
  const environments = new Environments({ db, entities, addresses });
  const runs = new DeploymentRuns(db, staleSeconds);
  const deployer = new Deployer({ db, environments, runs, live, log, ...deployerTiming });
  const driftChecks = new Slots(["first", "second", "third", "fourth"], driftCheckLimits, {
    subject: "The portal",
    work: "checks for drift",
  });
  // Those of a gateway that was killed.
  await runs.endStale();

  const noSuchIteration = (id: number) => new Refusal("not-found", `There is no iteration ${id}.`);
  // Contents are large, and whoever watches a deployment asks every second.
  const requireKnown = async (user: SignedInUser, id: number): Promise<void> => {
    if (!(await flows.locateIteration(user, id))) throw noSuchIteration(id);
  };

  const handlers: Handlers<typeof contract> = {
    environments: () => environments.list(),
    overview: ({ user }) => overviewFor(user, { db, environments, locateFlows: (ids) => flows.locateFlows(user, ids) }),
    deploy: async ({ user, params, body }) => {
      const iteration = await flows.findIteration(user, params.id);
      if (!iteration) throw noSuchIteration(params.id);
      const { ifRunning = "stop-and-drain", startNew = false, expectedBaseUrl, ...credentials } = body ?? {};
      const environment = await environments.require(params.environmentId, expectedBaseUrl);
      requireTaken(iteration, environment, await environments.facts(environment.name));
      const deployment = await deployer.deploy({ iteration, environment, credentials, ifRunning, startNew, username: user.username });
      // It is deployed whether or not this works.
      await flows
        .recordDeployed(iteration.id, user.username, environment.displayName)
        .catch((error: unknown) => log.error({ err: error }, "a deployment is missing in the timeline of its request"));
      return deployment;
    },
    running: async ({ user, params }) => {
      await requireKnown(user, params.id);
      return (await runs.latest(params.id)) ?? null;
    },
    list: async ({ user, params }) => {
      await requireKnown(user, params.id);
      return listDeployments(db, { iterationId: params.id });
    },
    ofFlow: async ({ user, params }) => {
      if (!(await flows.hasFlow(user, params.flowId))) throw new Refusal("not-found", `There is no flow ${params.flowId}.`);
      return listDeployments(db, { flowId: params.flowId });
    },
    checkDrift: ({ user, params, body, signal }) => {
      const call = { signal, owner: user.id };
      return driftChecks.use(call, async () => {
        const deployment = await findDeployment(db, params.id);
        const iteration = deployment && (await flows.findIteration(user, deployment.iterationId));
        if (!iteration) throw new Refusal("not-found", `There is no deployment ${params.id}.`);
        return checkDrift({ db, environments, runs, definitions, log }, deployment, iteration.content, body, call);
      });
    },
  };
  return {
    environmentFacts: (environmentId) => environments.facts(environmentId),
    routes: { flowDeployments: implement(contract, handlers) },
    gauges: [{ name: "fairway_flow_deployments_running", help: "Deployments of flows under way.", read: () => deployer.running }],
    close: () => deployer.close(),
  };
}
