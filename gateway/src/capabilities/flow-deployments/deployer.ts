import type { DeploymentStep, FlowCredentials, IfRunning } from "@fairway/contract/flow-deployments";
import type { FlowFormat } from "@fairway/contract/flow-requests";
import { flowDeveloperRole } from "@fairway/contract/flows";
import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import { type Job, JobRunner } from "#background/jobs.ts";
import { CoalescedRuns } from "#process/coalesced-runs.ts";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { Refusal } from "#http/refusal.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { NifiClient } from "#nifi/client.ts";
import { type DeployedFlow, deployFlow } from "#nifi/deploy-flow.ts";
import { DeployFailed, type DeployStep, type DeployStepName, deployStepLabels } from "#nifi/deploy-steps.ts";
import { NifiFailed } from "#nifi/failure.ts";
import { readDeployed } from "#nifi/read-nifi.ts";
import { withTimeout } from "#process/shutdown-stack.ts";
import {
  type DeployedIteration,
  findDeployment,
  isDeployed,
  processGroupOf,
  recordDeployment,
  rememberFailure,
  saveDefinition,
  type StoredDeployment,
} from "./deployments.ts";
import type { Environment, Environments } from "./environments.ts";
import { refusalOf } from "./refusals.ts";
import { type DeploymentRuns, endRun, isLatestRun } from "./runs.ts";

export interface DeployableIteration extends DeployedIteration {
  readonly format: FlowFormat;
  readonly flowName: string;
  readonly group: string;
  readonly content: string;
}

export interface DeployerParts {
  readonly db: Kysely<Database>;
  readonly environments: Environments;
  readonly runs: DeploymentRuns;
  readonly live: LiveReporter;
  readonly log: Pick<BaseLogger, "warn" | "error" | "info">;
  /** How often a running deployment shows that its gateway is alive. */
  readonly renewMs: number;
  /** How long a closing gateway waits for running deployments. */
  readonly closeMs: number;
  /** How long to wait before each further attempt to record what was deployed. */
  readonly retryMs: readonly number[];
}

const adminRole = "admin";

interface Deployed {
  readonly client: NifiClient;
  readonly deployed: DeployedFlow;
}

interface Order {
  readonly iteration: DeployableIteration;
  readonly environment: Environment;
  readonly credentials: FlowCredentials | undefined;
  readonly ifRunning: IfRunning;
  /** Whether a first deployment is started. */
  readonly startNew: boolean;
  readonly username: string;
}

interface Begun {
  readonly run: number;
  readonly order: Order;
}

/**
 * Deploys iterations. A deployment goes on if its caller leaves, and for a while if the gateway is closed. It is never repeated: what
 * one whose gateway stopped has left in the NiFi is unknown. Decision 0455.
 */
export class Deployer {
  readonly #parts: DeployerParts;
  readonly #jobs: JobRunner<Begun, StoredDeployment>;
  readonly #looking = new Set<Promise<void>>();

  constructor(parts: DeployerParts) {
    this.#parts = parts;
    this.#jobs = new JobRunner({
      renewMs: parts.renewMs,
      // Nothing interrupts it halfway.
      finishMs: parts.closeMs,
      retryMs: parts.retryMs,
      renew: ({ run }) => parts.runs.renew(run),
      run: ({ run, order }, job) => this.#run(run, order, job),
      release: ({ run }) => parts.runs.interrupt(run),
    });
  }

  /** Number of deployments under way on this gateway. */
  get running(): number {
    return this.#jobs.running;
  }

  /** Refuses with conflict, timed-out and upstream-failed. */
  async deploy(order: Order): Promise<StoredDeployment> {
    if (this.#jobs.isClosing)
      throw new Refusal("not-ready", "The portal is stopping. Deploy again in a minute.", { retryAfterSeconds: 30 });
    const { iteration, environment, username } = order;
    const target = { flowId: iteration.flowId, environmentId: environment.name };
    const run = await this.#parts.runs.begin({ ...target, iterationId: iteration.id, iterationNumber: iteration.number, username });
    if (typeof run !== "number") {
      throw new Refusal(
        "conflict",
        `${run.username} is deploying Iteration ${run.iterationNumber} of ${iteration.flowName} to ${environment.displayName}. Wait until that has ended.`,
      );
    }
    return this.#jobs.start({ run, order });
  }

  /** Waits for running deployments; those that take too long are marked as interrupted. */
  async close(): Promise<void> {
    const looked = Promise.all(this.#looking).then(() => undefined);
    await Promise.all([this.#jobs.close(), withTimeout(this.#parts.closeMs, looked)]);
  }

  async #run(run: number, order: Order, { persist }: Job): Promise<StoredDeployment> {
    const { runs, live } = this.#parts;
    const { iteration } = order;
    const steps = new StepList(async (all) => {
      await runs.saveSteps(run, all);
      // Only administrators see the steps.
      live.report({ topic: "deployments", id: String(iteration.id), audience: { roles: [adminRole] } });
    });
    try {
      const { client, deployed } = await this.#deploy(order, steps).catch((error: unknown) =>
        this.#fail(run, order, steps, persist, error),
      );
      const deployment = await this.#recorded("The flow was deployed", persist, (trx) =>
        this.#succeed(trx, run, order, steps, deployed),
      ).catch((error: unknown) =>
        error instanceof Refusal ? Promise.reject(error) : this.#fail(run, order, steps, persist, error, deployed.processGroupId),
      );
      this.#look(order.environment, client, deployment);
      return deployment;
    } finally {
      live.report({ topic: "deployments", audience: { roles: [adminRole, flowDeveloperRole(iteration.group)] } });
    }
  }

  async #deploy({ iteration, environment, credentials, ifRunning, startNew }: Order, steps: StepList): Promise<Deployed> {
    const { db, environments } = this.#parts;
    const client = environments.client(environment, credentials);
    const target = { flowId: iteration.flowId, environmentId: environment.name };
    const processGroupId = await processGroupOf(db, target);
    const deployed = await deployFlow(client, {
      name: `${iteration.group} / ${iteration.flowName}`,
      content: iteration.content,
      previous: processGroupId === undefined ? undefined : { processGroupId, isSame: await isDeployed(db, target, iteration.id) },
      ifRunning,
      startNew,
      onStep: (step) => steps.change(step),
    });
    await steps.saved();
    return { client, deployed };
  }

  async #succeed(trx: Kysely<Database>, run: number, order: Order, steps: StepList, deployed: DeployedFlow): Promise<StoredDeployment> {
    const { iteration, environment, username } = order;
    const { name, displayName, baseUrl } = environment;
    const { processGroupId, warnings } = deployed;
    if (!(await isLatestRun(trx, run))) throw new Refusal("conflict", overtakenText);
    const id = await recordDeployment(trx, {
      iteration,
      environment: { id: name, displayName, baseUrl },
      username,
      processGroupId,
      warnings,
    });
    await endRun(trx, run, { succeeded: true, steps: steps.list });
    const deployment = await findDeployment(trx, id);
    if (!deployment) throw new Error(`deployment ${id} was not recorded`);
    return deployment;
  }

  /** Ends the run. Always rejects. */
  async #fail(
    run: number,
    { iteration, environment, credentials }: Order,
    steps: StepList,
    persist: Job["persist"],
    error: unknown,
    deployedTo?: string,
  ): Promise<never> {
    const { environments, log } = this.#parts;
    await steps.saved();
    const text = error instanceof NifiFailed ? error.message : unexpectedText;
    const isUnsettled = error instanceof DeployFailed ? error.left === "changed" || error.left === "unknown" : steps.hasChangedNifi;
    const processGroupId = error instanceof DeployFailed ? error.processGroupId : deployedTo;
    const end = (sentence: string, list: readonly DeploymentStep[]) =>
      this.#recorded("The flow was not deployed", persist, async (trx) => {
        if (!(await isLatestRun(trx, run))) return;
        const target = { flowId: iteration.flowId, environmentId: environment.name };
        await rememberFailure(trx, target, processGroupId, isUnsettled ? sentence : undefined);
        await endRun(trx, run, { succeeded: false, steps: list });
      });
    await end(text, steps.failed(text)).catch(async (failure: unknown) => {
      if (failure instanceof Refusal) throw failure;
      // Whatever could not be stored: the run has to end, and the process group to be known.
      log.error({ err: failure }, "the steps of a failed deployment could not be recorded");
      const failed = { name: "Deploy", state: "failed", text: unexpectedText, startedMs: Date.now(), durationMs: 0 } as const;
      await end(unexpectedText, [failed]);
    });
    if (error instanceof DeployFailed && error.unexpected !== undefined) throw error.unexpected;
    if (!(error instanceof NifiFailed)) throw error;
    log.info({ environment: environment.name, reason: error.reason }, "a deployment failed");
    if (steps.hasSignedIn && isAnswering(error)) this.#look(environment, environments.client(environment, credentials));
    throw refusalOf(error, text);
  }

  /** Tries again for a while if the database is away, because NiFi has already changed. */
  async #recorded<T>(what: string, persist: Job["persist"], work: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
    const { db, log } = this.#parts;
    try {
      return await persist(() => db.transaction().execute(work));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      log.error({ err: error }, "the outcome of a deployment could not be recorded");
      throw new Refusal("not-ready", `${what}, but the portal could not record that, because its database is not available.`);
    }
  }

  /** Reads, without making anybody wait, what later checks compare with. Without a deployment, only the facts of the environment. */
  #look(environment: Environment, client: NifiClient, deployment?: StoredDeployment): void {
    const { db, environments, log } = this.#parts;
    const look = async () => {
      if (deployment) await saveDefinition(db, deployment, await readDeployed(client, deployment.processGroupId));
      await environments.saveFacts(environment, client);
    };
    const looking = look()
      .catch((error: unknown) =>
        log.warn({ err: error, environment: environment.name }, "could not read what a NiFi holds after a deployment"),
      )
      .finally(() => this.#looking.delete(looking));
    this.#looking.add(looking);
  }
}

const overtakenText =
  "The flow was deployed, but the portal could not record that: it had counted the deployment as failed, and another one has begun meanwhile.";

const unexpectedText = "Something went wrong on the server. What NiFi now contains is unknown: check it there.";

/** Whether the NiFi can be asked for more. */
const isAnswering = ({ reason }: NifiFailed): boolean => ["refused", "unsupported", "missing", "failed"].includes(reason);

/** The steps of a run, saved whenever one changes. */
class StepList {
  readonly #steps = new Map<DeployStepName, DeploymentStep>();
  readonly #saves: CoalescedRuns;

  constructor(save: (steps: readonly DeploymentStep[]) => Promise<void>) {
    // Whoever watches misses a step if it cannot be saved; the last ones are saved with the outcome.
    this.#saves = new CoalescedRuns(() => save(this.list).catch(() => undefined));
  }

  get list(): DeploymentStep[] {
    return [...this.#steps.values()];
  }

  get hasSignedIn(): boolean {
    return this.#steps.get("sign-in")?.state === "done";
  }

  get hasChangedNifi(): boolean {
    return this.#steps.has("stop");
  }

  change({ name, state, detail, durationMs }: DeployStep): void {
    const startedMs = this.#steps.get(name)?.startedMs ?? Date.now();
    this.#steps.set(name, { name: deployStepLabels[name], state, text: detail, startedMs, durationMs: durationMs ?? null });
    void this.#saves.request();
  }

  async saved(): Promise<void> {
    await this.#saves.close();
  }

  /** Ends with the failed step, which says what state the NiFi is in now. */
  failed(text: string): DeploymentStep[] {
    const steps = this.list;
    const at = steps.findIndex(({ state }) => state === "failed" || state === "running");
    const { name, startedMs, durationMs } = steps[at] ?? { name: "Deploy", startedMs: Date.now(), durationMs: null };
    const failed: DeploymentStep = { name, state: "failed", text, startedMs, durationMs: durationMs ?? Date.now() - startedMs };
    return at < 0 ? [...steps, failed] : steps.with(at, failed);
  }
}
