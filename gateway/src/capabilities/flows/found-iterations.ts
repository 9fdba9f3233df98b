import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { unpackContent } from "./contents.ts";

/** An iteration with its content, as other capabilities need it. */
export interface FoundIteration {
  readonly id: number;
  readonly number: number;
  readonly bytes: number;
  readonly content: string;
  readonly requestId: number;
  readonly requestName: string;
  /** Of the request. */
  readonly status: number;
  readonly flowId: number;
  readonly flowName: string;
  readonly group: string;
}

const selectFound = (db: Kysely<Database>) =>
  db
    .selectFrom("flow_iterations as iteration")
    .innerJoin("flow_requests as request", "request.id", "iteration.request_id")
    .innerJoin("flows as flow", "flow.id", "request.flow_id")
    .select(["iteration.id", "iteration.number", "iteration.bytes", "iteration.content"])
    .select(["request.id as requestId", "request.name as requestName", "request.status"])
    .select(["flow.id as flowId", "flow.name as flowName", "flow.group_name as group"]);

type Row = Awaited<ReturnType<ReturnType<typeof selectFound>["executeTakeFirst"]>>;

const toFound = async (row: Row): Promise<FoundIteration | undefined> =>
  row && Object.assign({}, row, { content: await unpackContent(row.content) });

export const findAnyIteration = async (db: Kysely<Database>, iterationId: number): Promise<FoundIteration | undefined> =>
  toFound(await selectFound(db).where("iteration.id", "=", iterationId).executeTakeFirst());

/** The newest iteration of a flow's main history. */
export const findAcceptedIteration = async (db: Kysely<Database>, flowId: number): Promise<FoundIteration | undefined> =>
  toFound(
    await selectFound(db)
      .innerJoin("flow_main_iterations as main", "main.iteration_id", "iteration.id")
      .where("main.flow_id", "=", flowId)
      .orderBy("main.number", "desc")
      .limit(1)
      .executeTakeFirst(),
  );
