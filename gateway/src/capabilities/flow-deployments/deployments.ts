import { gunzip, gzip } from "node:zlib";
import { promisify } from "node:util";
import type { FlowDeployment } from "@fairway/contract/flow-deployments";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Target } from "./tables.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);
const maxListed = 500;

export interface DeployedIteration {
  readonly id: number;
  readonly number: number;
  readonly requestId: number;
  readonly requestName: string;
  readonly flowId: number;
}

export interface NewDeployment {
  readonly iteration: DeployedIteration;
  readonly environment: { readonly id: string; readonly displayName: string; readonly baseUrl: string };
  readonly username: string;
  readonly processGroupId: string;
  readonly warnings: readonly string[];
}

/** A deployment with where it is in its NiFi. */
export interface StoredDeployment extends FlowDeployment {
  readonly processGroupId: string;
}

/** Successful deployments, newest first, at most 500. */
export async function listDeployments(db: Kysely<Database>, of: { flowId: number } | { iterationId: number }): Promise<FlowDeployment[]> {
  const condition = "flowId" in of ? sql<boolean>`one.flow_id = ${of.flowId}` : sql<boolean>`one.iteration_id = ${of.iterationId}`;
  return (await select(db).where(condition).orderBy("one.id", "desc").limit(maxListed).execute()).map(toDeployment);
}

/** The newest deployment of each flow in each of these environments. */
export async function listCurrentDeployments(db: Kysely<Database>, environmentIds: readonly string[]): Promise<FlowDeployment[]> {
  const newest = sql<number>`(
    select max(id) from flow_deployments where environment_id = any(${environmentIds}::text[]) group by flow_id, environment_id)`;
  return (await select(db).where("one.id", "in", newest).execute()).map(toDeployment);
}

export async function findDeployment(db: Kysely<Database>, id: number): Promise<StoredDeployment | undefined> {
  const row = await select(db).where("one.id", "=", id).executeTakeFirst();
  return row && toDeployment(row);
}

const select = (db: Kysely<Database>) =>
  db
    .selectFrom("flow_deployments as one")
    .leftJoin("flow_deployment_targets as target", (join) =>
      join.onRef("target.flow_id", "=", "one.flow_id").onRef("target.environment_id", "=", "one.environment_id"),
    )
    .selectAll("one")
    .select(["target.failed_at", "target.failure"])
    .select(
      sql<boolean>`not exists (
        select from flow_deployments as later
        where later.flow_id = one.flow_id and later.environment_id = one.environment_id and later.id > one.id
      )`.as("is_current"),
    );

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

const toDeployment = (row: Row): StoredDeployment => ({
  id: row.id,
  deployedTimeMs: row.deployed_at.getTime(),
  deployedByUsername: row.deployed_by,
  deployedEnvironmentName: row.environment_name,
  deployedBaseUrl: row.base_url,
  environmentId: row.environment_id,
  flowId: row.flow_id,
  requestId: row.request_id,
  requestName: row.request_name,
  iterationId: row.iteration_id,
  iterationNumber: row.iteration_number,
  kind: row.kind,
  isCurrent: row.is_current,
  laterFailure: row.is_current && row.failed_at !== null ? { failedMs: row.failed_at.getTime(), text: row.failure ?? "" } : null,
  warnings: row.warnings,
  drift:
    row.drift_checked_at === null
      ? null
      : { checkedMs: row.drift_checked_at.getTime(), isSame: row.drift_changes === 0, changes: row.drift_changes ?? 0 },
  processGroupId: row.process_group_id,
});

/** The process group in which the flow was last deployed there. */
export async function processGroupOf(db: Kysely<Database>, { flowId, environmentId }: Target): Promise<string | undefined> {
  const row = await db
    .selectFrom("flow_deployment_targets")
    .select("process_group_id")
    .where("flow_id", "=", flowId)
    .where("environment_id", "=", environmentId)
    .executeTakeFirst();
  return row?.process_group_id ?? undefined;
}

/** Whether the newest deployment of the flow there was of this iteration. */
export async function isDeployed(db: Kysely<Database>, { flowId, environmentId }: Target, iterationId: number): Promise<boolean> {
  const newest = await db
    .selectFrom("flow_deployments")
    .select("iteration_id")
    .where("flow_id", "=", flowId)
    .where("environment_id", "=", environmentId)
    .orderBy("id", "desc")
    .executeTakeFirst();
  return newest?.iteration_id === iterationId;
}

/** The id of the new deployment. Call it while the run of the target is under way, so that no other deployment is recorded meanwhile. */
export async function recordDeployment(
  db: Kysely<Database>,
  { iteration, environment, username, processGroupId, warnings }: NewDeployment,
): Promise<number> {
  const target = { flow_id: iteration.flowId, environment_id: environment.id };
  const { id } = await db
    .insertInto("flow_deployments")
    .values({
      ...target,
      request_id: iteration.requestId,
      request_name: iteration.requestName,
      iteration_id: iteration.id,
      iteration_number: iteration.number,
      environment_name: environment.displayName,
      base_url: environment.baseUrl,
      deployed_by: username,
      kind: await kindOf(db, iteration, environment.id),
      process_group_id: processGroupId,
      warnings: JSON.stringify(warnings),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const state = { process_group_id: processGroupId, failed_at: null, failure: null, definition_of: null, definition: null };
  await db
    .insertInto("flow_deployment_targets")
    .values({ ...target, ...state })
    .onConflict((conflict) => conflict.columns(["flow_id", "environment_id"]).doUpdateSet(state))
    .execute();
  return id;
}

/** Decision 0454. Iterations of a flow are older the smaller their ids are. */
async function kindOf(db: Kysely<Database>, { id, flowId }: DeployedIteration, environmentId: string): Promise<FlowDeployment["kind"]> {
  const rows = await db
    .selectFrom("flow_deployments")
    .select("environment_id")
    .select(sql<number>`(array_agg(iteration_id order by id desc))[1]`.as("current"))
    .select(sql<boolean>`bool_or(iteration_id = ${id})`.as("had_it"))
    .where("flow_id", "=", flowId)
    .groupBy("environment_id")
    .execute();
  const here = rows.find((row) => row.environment_id === environmentId);
  if (here?.had_it === true && id < here.current) return "rollback";
  if (here?.current === id) return "deploy";
  return rows.some((row) => row !== here && row.current === id) ? "promotion" : "deploy";
}

/** Remembers a failure that leaves something else in the NiFi than the last deployment. */
export async function rememberFailure(
  db: Kysely<Database>,
  target: Target,
  processGroupId: string | undefined,
  failure: string | undefined,
): Promise<void> {
  const changes = {
    ...(processGroupId !== undefined && { process_group_id: processGroupId }),
    ...(failure !== undefined && { failed_at: sql<Date>`clock_timestamp()`, failure }),
  };
  if (Object.keys(changes).length === 0) return;
  await db
    .insertInto("flow_deployment_targets")
    .values({ flow_id: target.flowId, environment_id: target.environmentId, ...changes })
    .onConflict((conflict) => conflict.columns(["flow_id", "environment_id"]).doUpdateSet(changes))
    .execute();
}

/** Keeps the definition that the NiFi showed right after the deployment, unless a later one has replaced it. */
export async function saveDefinition(db: Kysely<Database>, deployment: FlowDeployment, definition: string): Promise<void> {
  const compressed = await compress(definition);
  await db
    .updateTable("flow_deployment_targets as target")
    .set({ definition_of: deployment.id, definition: compressed })
    .where("flow_id", "=", deployment.flowId)
    .where("environment_id", "=", deployment.environmentId)
    .where(
      sql<boolean>`not exists (
        select from flow_deployments as later
        where later.flow_id = target.flow_id and later.environment_id = target.environment_id and later.id > ${deployment.id}
      )`,
    )
    .execute();
}

/** The definition that `saveDefinition` kept. */
export async function savedDefinition(db: Kysely<Database>, deployment: FlowDeployment): Promise<string | undefined> {
  const row = await db
    .selectFrom("flow_deployment_targets")
    .select("definition")
    .where("flow_id", "=", deployment.flowId)
    .where("environment_id", "=", deployment.environmentId)
    .where("definition_of", "=", deployment.id)
    .executeTakeFirst();
  return row?.definition ? (await decompress(row.definition)).toString() : undefined;
}

/** When the check was recorded. */
export async function recordDrift(db: Kysely<Database>, id: number, changes: number): Promise<number> {
  const row = await db
    .updateTable("flow_deployments")
    .set({ drift_checked_at: sql<Date>`clock_timestamp()`, drift_changes: changes })
    .where("id", "=", id)
    .returning("drift_checked_at")
    .executeTakeFirstOrThrow();
  return row.drift_checked_at?.getTime() ?? Date.now();
}
