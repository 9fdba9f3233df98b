import type { DeploymentStep, RunningDeployment } from "@fairway/contract/flow-deployments";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { rememberFailure } from "./deployments.ts";
import type { Target } from "./tables.ts";

const now = sql<Date>`clock_timestamp()`;

/** How long the steps of a run can be read after it ended. */
const shownSeconds = 60;

interface NewRun extends Target {
  readonly iterationId: number;
  readonly iterationNumber: number;
  readonly username: string;
}

export interface RunEnd {
  readonly succeeded: boolean;
  readonly steps: readonly DeploymentStep[];
}

/** Shown for runs of a gateway that stopped or lost its database. */
export const interruptedText =
  "The portal stopped while it deployed. What NiFi now contains is unknown: check it there, and deploy again to replace it.";

/**
 * Attempts to deploy. An unfinished row is the lock that lets one gateway at a time deploy a flow to an environment; it ends by itself
 * if its gateway does not renew it for `staleSeconds`.
 */
export class DeploymentRuns {
  readonly #db: Kysely<Database>;
  readonly #staleSeconds: number;

  constructor(db: Kysely<Database>, staleSeconds: number) {
    this.#db = db;
    this.#staleSeconds = staleSeconds;
  }

  /** The id of a new run, or the run that is under way. */
  async begin({
    flowId,
    environmentId,
    ...run
  }: NewRun): Promise<number | { readonly username: string; readonly iterationNumber: number }> {
    await this.endStale();
    await this.#db
      .deleteFrom("flow_deployment_runs")
      .where("ended_at", "<", sql<Date>`now() - interval '1 day'`)
      .execute();
    for (;;) {
      const added = await this.#db
        .insertInto("flow_deployment_runs")
        .values({
          flow_id: flowId,
          environment_id: environmentId,
          iteration_id: run.iterationId,
          iteration_number: run.iterationNumber,
          username: run.username,
        })
        .onConflict((conflict) => conflict.columns(["flow_id", "environment_id"]).where("ended_at", "is", null).doNothing())
        .returning("id")
        .executeTakeFirst();
      if (added) return added.id;
      const active = await this.#active({ flowId, environmentId });
      // It may have ended meanwhile.
      if (active) return { username: active.username, iterationNumber: active.iteration_number };
    }
  }

  async isActive(target: Target): Promise<boolean> {
    await this.endStale();
    return (await this.#active(target)) !== undefined;
  }

  /** Renews the lock. False if the run has ended. */
  async renew(id: number): Promise<boolean> {
    const running = this.#db.updateTable("flow_deployment_runs").where("id", "=", id).where("ended_at", "is", null);
    const { numUpdatedRows } = await running.set({ alive_at: now }).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async saveSteps(id: number, steps: readonly DeploymentStep[]): Promise<void> {
    const changes = { steps: JSON.stringify(steps), alive_at: now };
    await this.#db.updateTable("flow_deployment_runs").set(changes).where("id", "=", id).where("ended_at", "is", null).execute();
  }

  /** The running one of the iteration, or the last one shortly after it ended. */
  async latest(iterationId: number): Promise<RunningDeployment | undefined> {
    await this.endStale();
    const row = await this.#db
      .selectFrom("flow_deployment_runs")
      .selectAll()
      .where("iteration_id", "=", iterationId)
      .where((where) =>
        where.or([where("ended_at", "is", null), where("ended_at", ">", sql<Date>`now() - make_interval(secs => ${shownSeconds})`)]),
      )
      .orderBy(sql`ended_at is null`, "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    return {
      environmentId: row.environment_id,
      startedMs: row.started_at.getTime(),
      deployedByUsername: row.username,
      state: row.ended_at === null ? "running" : row.succeeded ? "done" : "failed",
      steps: row.steps,
    };
  }

  /** Ends runs whose gateway is gone. */
  endStale(): Promise<void> {
    return this.#interrupt(sql<boolean>`alive_at < now() - make_interval(secs => ${this.#staleSeconds})`);
  }

  /** Ends a run that its own gateway does not finish. */
  interrupt(id: number): Promise<void> {
    return this.#interrupt(sql<boolean>`id = ${id}`);
  }

  async #interrupt(condition: ReturnType<typeof sql<boolean>>): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom("flow_deployment_runs")
        .select(["id", "flow_id", "environment_id", "steps", "started_at"])
        .where("ended_at", "is", null)
        .where(condition)
        .orderBy("id")
        .forUpdate()
        .execute();
      for (const { id, flow_id: flowId, environment_id: environmentId, steps, started_at: startedAt } of rows) {
        await endRun(trx, id, { succeeded: false, steps: interrupted(steps, startedAt.getTime()) });
        await rememberFailure(trx, { flowId, environmentId }, undefined, interruptedText);
      }
    });
  }

  #active({ flowId, environmentId }: Target) {
    return this.#db
      .selectFrom("flow_deployment_runs")
      .select(["username", "iteration_number"])
      .where("flow_id", "=", flowId)
      .where("environment_id", "=", environmentId)
      .where("ended_at", "is", null)
      .executeTakeFirst();
  }
}

/**
 * Whether no other run of the same target has begun since: what this one has left in the NiFi is what is there now. So a gateway that
 * was away for too long still reports how its deployment ended, unless another one has followed.
 */
export async function isLatestRun(db: Kysely<Database>, id: number): Promise<boolean> {
  const later = await db
    .selectFrom("flow_deployment_runs as run")
    .innerJoin("flow_deployment_runs as later", (join) =>
      join
        .onRef("later.flow_id", "=", "run.flow_id")
        .onRef("later.environment_id", "=", "run.environment_id")
        .onRef("later.id", ">", "run.id"),
    )
    .select("later.id")
    .where("run.id", "=", id)
    .executeTakeFirst();
  return later === undefined;
}

export async function endRun(db: Kysely<Database>, id: number, { succeeded, steps }: RunEnd): Promise<void> {
  await db
    .updateTable("flow_deployment_runs")
    .set({ ended_at: now, succeeded, steps: JSON.stringify(steps) })
    .where("id", "=", id)
    .execute();
}

function interrupted(steps: readonly DeploymentStep[], startedMs: number): DeploymentStep[] {
  const last = steps.at(-1);
  const begun = last?.state === "running" ? last : { name: "Deploy", startedMs: last?.startedMs ?? startedMs };
  const failed: DeploymentStep = { ...begun, state: "failed", text: interruptedText, durationMs: Date.now() - begun.startedMs };
  return [...(last?.state === "running" ? steps.slice(0, -1) : steps), failed];
}
