import { randomUUID } from "node:crypto";
import type { DateOrder } from "@fairway/contract/readings";
import type { Column } from "@fairway/contract/columns";
import type { SchemaChanges, SchemaUpdate } from "@fairway/contract/dataset-administration";
import type { StoredReading } from "@fairway/contract/readings";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import { type ColumnType, type Generated, type JSONColumnType, type Kysely, sql, type UpdateObject } from "kysely";
import type { BaseLogger } from "pino";
import { type Job, JobRunner, wasInterruptedBy } from "#background/jobs.ts";
import type { Database } from "#database/schema.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type DatasetSource, EngineFailed, type SourceReading } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";
import { mergeColumns } from "./schema-changes.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** At most one row per dataset is running. */
    schema_updates: {
      id: string;
      dataset_id: string;
      status: "running" | "done" | "failed";
      /** Completed steps. */
      done: Generated<number>;
      step: string;
      started_at: ColumnType<Date, never, never>;
      /** Heartbeat of the gateway that runs it; without one for a while, the gateway counts as crashed. */
      alive_at: Generated<Date>;
      finished_at: Date | null;
      result: JSONColumnType<SchemaChanges> | null;
      problem: string | null;
    };
  }
}

export interface SchemaUpdateParts {
  /** The order of days and months that administrators have set for the portal; null if they have not. Default: null. */
  readonly dateOrder?: () => Promise<DateOrder | null>;
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "get">;
  readonly engines: Engines;
  /** Saves the columns, and how text files are read, and records a revision. */
  readonly save: (id: string, columns: unknown, by: SignedInUser, reading: StoredReading | undefined) => Promise<unknown>;
  /** Has the profile of the dataset computed in the background. */
  readonly requestProfile: (datasetId: string) => Promise<unknown>;
  readonly log: Pick<BaseLogger, "error">;
  /** How often a gateway says that it still runs one. */
  readonly heartbeatMs?: number;
}

interface Ordered {
  readonly id: string;
  readonly datasetId: string;
  readonly source: DatasetSource;
  readonly by: SignedInUser;
}

const steps = ["Reading the columns", "Comparing", "Saving"] as const;
const deadAfterSeconds = 60;
const retentionDays = 30;

/**
 * Jobs that read the columns of datasets again. Their state is in the database, so that any gateway can report it. They are never
 * repeated: that of a gateway that stopped has failed.
 */
export class SchemaUpdates {
  readonly #parts: SchemaUpdateParts;
  readonly #jobs: JobRunner<Ordered>;

  constructor(parts: SchemaUpdateParts) {
    this.#parts = parts;
    this.#jobs = new JobRunner({
      renewMs: parts.heartbeatMs ?? 10_000,
      renew: ({ id }) => this.#change(id, { alive_at: sql<Date>`now()` }),
      run: (ordered, job) => this.#run(ordered, job),
      failed: (error) => parts.log.error({ err: error }, "could not store the end of a schema update; it will count as failed"),
    });
  }

  get running(): number {
    return this.#jobs.running;
  }

  /** Returns the running job of this dataset, or starts one. Refuses with not-found. */
  async start(datasetId: string, by: SignedInUser): Promise<SchemaUpdate> {
    const { db, entities } = this.#parts;
    const { body } = await entities.get(internalDatasets, datasetId);
    await this.#failAbandoned();
    const id = randomUUID();
    const inserted = await db
      .insertInto("schema_updates")
      .values({ id, dataset_id: datasetId, status: "running", step: steps[0] })
      // A literal, because PostgreSQL cannot match a parameter with the index's condition once it plans the statement for all values.
      .onConflict((conflict) => conflict.column("dataset_id").where("status", "=", sql.lit("running")).doNothing())
      .returning("id")
      .executeTakeFirst();
    const job = await this.#read(datasetId, (query) => (inserted ? query.where("id", "=", id) : query.where("status", "=", "running")));
    // The running job has just ended: start another.
    if (!job) return this.start(datasetId, by);
    if (inserted) void this.#jobs.start({ id, datasetId, source: body.source, by });
    return job;
  }

  /** Refuses with not-found. */
  async get(datasetId: string, jobId: string): Promise<SchemaUpdate> {
    await this.#failAbandoned();
    const job = await this.#read(datasetId, (query) => query.where("id", "=", jobId));
    if (!job) throw new Refusal("not-found", "There is no such schema update.");
    return job;
  }

  close(): Promise<void> {
    return this.#jobs.close();
  }

  /** The columns, those that are left out, and what is understood of text files, all of whose rows are checked. */
  async #columns(
    { source, by }: Ordered,
    signal: AbortSignal,
  ): Promise<{ columns: Column[]; leftOut: readonly string[]; understood: SourceReading | null }> {
    const whole: DatasetSource =
      source.kind === "files" && source.format !== "parquet"
        ? { ...source, checksAll: true, hints: { dateOrder: await this.#parts.dateOrder?.() } }
        : source;
    const { engine, release } = await this.#parts.engines.lease(source);
    try {
      const call = { signal, owner: by.id, user: by.username };
      const columns = await engine.columns(whole, call);
      const { leftOut } = (await engine.notes?.(whole, call)) ?? { leftOut: [] };
      return { columns, leftOut, understood: (await engine.reading?.(whole, call)) ?? null };
    } finally {
      release();
    }
  }

  async #run(ordered: Ordered, { signal, persist }: Job): Promise<void> {
    const { entities, save, requestProfile } = this.#parts;
    const { id, datasetId, by } = ordered;
    const begin = (step: number) => persist(() => this.#change(id, { done: step, step: steps[step] ?? "", alive_at: sql<Date>`now()` }));
    try {
      const { columns: found, leftOut, understood } = await this.#columns(ordered, signal);
      if (!(await begin(1))) return;
      const { body } = await persist(() => entities.get(internalDatasets, datasetId));
      const { columns, changes: ofColumns } = mergeColumns(body.schema.columns, found, chosenOf(understood?.stored));
      const changes: SchemaChanges = {
        ...ofColumns,
        ...(understood === null ? {} : { reading: [...understood.differences] }),
        ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
        ...openColumns(body, ofColumns.added),
      };
      requireValid({ ...body, schema: { columns } });
      // Another gateway may have declared it failed meanwhile: then nothing may be saved.
      if (!(await begin(2))) return;
      await persist(() => save(datasetId, columns, by, understood?.stored));
      await persist(() => requestProfile(datasetId));
      await persist(() => this.#end(id, { status: "done", result: JSON.stringify(changes satisfies SchemaChanges), problem: null }));
    } catch (error) {
      if (wasInterruptedBy(signal, "lost")) return;
      const isExpected = error instanceof Refusal || error instanceof EngineFailed;
      if (!isExpected) this.#parts.log.error({ err: error }, "a schema update failed");
      const problem = isExpected ? error.message : "Something went wrong on the server.";
      await persist(() => this.#end(id, { status: "failed", result: null, problem }));
    }
  }

  #end(id: string, end: { status: "done" | "failed"; result: string | null; problem: string | null }): Promise<boolean> {
    const done = end.status === "done" ? { done: steps.length, step: "Done" } : { step: "Failed" };
    return this.#change(id, { ...end, ...done, finished_at: sql<Date>`now()` });
  }

  /** False if it does not run any more. */
  async #change(id: string, change: UpdateObject<Database, "schema_updates">): Promise<boolean> {
    const { numUpdatedRows } = await this.#parts.db
      .updateTable("schema_updates")
      .set(change)
      .where("id", "=", id)
      .where("status", "=", "running")
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async #failAbandoned(): Promise<void> {
    await this.#parts.db
      .updateTable("schema_updates")
      .set({ status: "failed", step: "Failed", problem: "The gateway that ran it stopped.", finished_at: sql<Date>`now()` })
      .where("status", "=", "running")
      .where(sql<boolean>`alive_at < now() - make_interval(secs => ${deadAfterSeconds})`)
      .execute();
    await this.#parts.db
      .deleteFrom("schema_updates")
      .where(sql<boolean>`started_at < now() - make_interval(days => ${retentionDays})`)
      .execute();
  }

  async #read(
    datasetId: string,
    only: (query: ReturnType<typeof selectJob>) => ReturnType<typeof selectJob>,
  ): Promise<SchemaUpdate | undefined> {
    const row = await only(selectJob(this.#parts.db, datasetId)).executeTakeFirst();
    return (
      row && {
        jobId: row.id,
        status: row.status,
        progress: { done: row.done, total: steps.length, step: row.step },
        startedMs: row.started_at.getTime(),
        finishedMs: row.finished_at?.getTime() ?? null,
        result: row.result,
        problem: row.problem,
      }
    );
  }
}

/** Columns whose type a person chose. */
const chosenOf = (reading: StoredReading | undefined): ReadonlySet<string> =>
  new Set(reading?.columns.flatMap(({ name, chosen }) => (chosen === true ? [name] : [])));

const selectJob = (db: Kysely<Database>, datasetId: string) =>
  db.selectFrom("schema_updates").selectAll().where("dataset_id", "=", datasetId);

/** Refuses before saving if the dataset needs a column that is missing now. */
function requireValid(dataset: InternalDataset): void {
  const parsed = internalDataset.safeParse(dataset);
  if (parsed.success) return;
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${fieldAt(dataset, path)}: ${message}`);
  throw new Refusal("invalid-request", `The dataset would no longer be whole: ${problems.join("; ")}.`);
}

/** Where a problem is: a rule by its name, as administrators know it. */
function fieldAt({ access }: InternalDataset, path: readonly PropertyKey[]): string {
  const [field, list, index] = path;
  const rule = field === "access" && list === "rules" && typeof index === "number" ? access?.rules?.[index] : undefined;
  if (rule !== undefined) return `the access rule '${rule.name}'`;
  return field === "access" && list === "columns" ? `access rule ${Number(index) + 1} for columns` : `'${path.join(".")}'`;
}

/** New columns that all readers see, although the dataset has rules about who sees what. */
function openColumns({ access }: InternalDataset, added: readonly string[]): Pick<SchemaChanges, "open"> {
  if (!access || access.unnamedColumns === "withheld" || added.length === 0) return {};
  return { open: [...added] };
}
