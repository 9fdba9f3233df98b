import type { FlowIteration, MainIteration } from "@fairway/contract/flow-requests";
import { flowContentsBytes } from "@fairway/contract/flows";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { StreamedAnswer } from "#http/handlers.ts";
import { type PackedContent, unpackContent } from "./contents.ts";
import { type PackedIteration, streamIterations } from "./iteration-stream.ts";

interface IterationRow {
  readonly id: number;
  readonly number: number;
  readonly creator_username: string;
  readonly created_at: Date;
  readonly bytes: number;
  readonly format: FlowIteration["format"];
  readonly reason: string;
  readonly content: Buffer | null;
}

const iterationColumns = [
  "iteration.id",
  "iteration.number",
  "iteration.creator_username",
  "iteration.created_at",
  "iteration.bytes",
  "iteration.format",
  "iteration.reason",
] as const;

const toPacked = (row: IterationRow): PackedIteration => ({
  id: row.id,
  number: row.number,
  creatorUsername: row.creator_username,
  createdDateMs: row.created_at.getTime(),
  bytes: row.bytes,
  format: row.format,
  reason: row.reason,
  content: row.content,
});

const toIteration = async (row: IterationRow): Promise<FlowIteration> =>
  Object.assign({}, toPacked(row), { content: row.content === null ? null : await unpackContent(row.content) });

/** With their contents up to `flowContentsBytes`, of which those of older ones are null first, or without any. */
type Contents = "with contents" | "without contents";

const bytesOf = (contents: Contents): number => (contents === "with contents" ? flowContentsBytes : 0);

/** The iterations of a request, oldest first, as JSON. */
export async function iterationsOf(db: Kysely<Database>, requestId: number, contents: Contents): Promise<StreamedAnswer> {
  const rows = await db
    .selectFrom((iterations) =>
      iterations
        .selectFrom("flow_iterations")
        .selectAll()
        .select(sql<number>`sum(bytes) over (order by number desc)`.as("bytes_from_here"))
        .where("request_id", "=", requestId)
        .as("iteration"),
    )
    .select(iterationColumns)
    .select(sql<Buffer | null>`case when bytes_from_here <= ${bytesOf(contents)} then content end`.as("content"))
    .orderBy("number")
    .execute();
  return streamIterations(rows, toPacked);
}

/** An iteration of this request with its content. */
export async function findIteration(db: Kysely<Database>, requestId: number, iterationId: number): Promise<FlowIteration | undefined> {
  const row = await db
    .selectFrom("flow_iterations as iteration")
    .select(iterationColumns)
    .select("iteration.content")
    .where("iteration.request_id", "=", requestId)
    .where("iteration.id", "=", iterationId)
    .executeTakeFirst();
  return row && toIteration(row);
}

/** The stored content of an iteration of this request. */
export const findStoredContent = (
  db: Kysely<Database>,
  requestId: number,
  iterationId: number,
): Promise<Pick<PackedContent, "bytes" | "content"> | undefined> =>
  db
    .selectFrom("flow_iterations")
    .select(["bytes", "content"])
    .where("request_id", "=", requestId)
    .where("id", "=", iterationId)
    .executeTakeFirst();

const selectMain = (db: Kysely<Database>, flowId: number) =>
  db
    .selectFrom("flow_main_iterations as main")
    .innerJoin("flow_iterations as iteration", "iteration.id", "main.iteration_id")
    .innerJoin("flow_requests as request", "request.id", "iteration.request_id")
    .select(iterationColumns)
    .select(["main.accepted_at", "main.accepted_by", "request.id as request_id", "request.name as request_name"])
    .where("main.flow_id", "=", flowId)
    .orderBy("main.number", "desc");

interface MainRow extends IterationRow {
  readonly accepted_at: Date;
  readonly accepted_by: string;
  readonly request_id: number;
  readonly request_name: string;
}

const mainFields = (row: MainRow): Omit<MainIteration, "iteration"> => ({
  timeMs: row.accepted_at.getTime(),
  requestId: row.request_id,
  requestName: row.request_name,
  acceptedByUsername: row.accepted_by,
});

/** The main history of a flow, newest first, as JSON. */
export async function mainIterationsOf(db: Kysely<Database>, flowId: number, contents: Contents): Promise<StreamedAnswer> {
  const bytes = sql<number>`sum(iteration.bytes) over (order by main.number desc)`;
  const rows = await selectMain(db, flowId)
    .select(sql<Buffer | null>`case when ${bytes} <= ${bytesOf(contents)} then iteration.content end`.as("content"))
    .execute();
  return streamIterations(rows, toPacked, (row) => [`${JSON.stringify(mainFields(row)).slice(0, -1)},"iteration":`, "}"]);
}

/** An accepted iteration of this flow with its content; the newest one without an id. */
export async function findMainIteration(db: Kysely<Database>, flowId: number, iterationId?: number): Promise<MainIteration | undefined> {
  const row = await selectMain(db, flowId)
    .select("iteration.content")
    .$if(iterationId !== undefined, (query) => query.where("iteration.id", "=", iterationId ?? 0))
    .limit(1)
    .executeTakeFirst();
  return row && Object.assign(mainFields(row), { iteration: await toIteration(row) });
}
