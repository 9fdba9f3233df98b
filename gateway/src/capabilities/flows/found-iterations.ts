import type { FlowFormat } from "@fairway/contract/flow-requests";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { unpackContent } from "./contents.ts";

/** An iteration as other capabilities need it. */
export interface LocatedIteration {
  readonly id: number;
  readonly number: number;
  readonly bytes: number;
  readonly format: FlowFormat;
  readonly requestId: number;
  readonly requestName: string;
  /** Of the request. */
  readonly status: number;
  readonly flowId: number;
  readonly flowName: string;
  readonly group: string;
}

export interface FoundIteration extends LocatedIteration {
  readonly content: string;
}

const selectLocated = (db: Kysely<Database>) =>
  db
    .selectFrom("flow_iterations as iteration")
    .innerJoin("flow_requests as request", "request.id", "iteration.request_id")
    .innerJoin("flows as flow", "flow.id", "request.flow_id")
    .select(["iteration.id", "iteration.number", "iteration.bytes", "iteration.format"])
    .select(["request.id as requestId", "request.name as requestName", "request.status"])
    .select(["flow.id as flowId", "flow.name as flowName", "flow.group_name as group"]);

const selectFound = (db: Kysely<Database>) => selectLocated(db).select("iteration.content");

type Row = Awaited<ReturnType<ReturnType<typeof selectFound>["executeTakeFirst"]>>;

const toFound = async (row: Row): Promise<FoundIteration | undefined> =>
  row && Object.assign({}, row, { content: await unpackContent(row.content) });

export const findAnyIteration = async (db: Kysely<Database>, iterationId: number): Promise<FoundIteration | undefined> =>
  toFound(await selectFound(db).where("iteration.id", "=", iterationId).executeTakeFirst());

export const locateAnyIteration = (db: Kysely<Database>, iterationId: number): Promise<LocatedIteration | undefined> =>
  selectLocated(db).where("iteration.id", "=", iterationId).executeTakeFirst();

const acceptedId = (db: Kysely<Database>, flowId: number) =>
  db.selectFrom("flow_main_iterations").select("iteration_id").where("flow_id", "=", flowId).orderBy("number", "desc").limit(1);

/** The newest iteration of a flow's main history. */
export const findAcceptedIteration = async (db: Kysely<Database>, flowId: number): Promise<FoundIteration | undefined> =>
  toFound(await selectFound(db).where("iteration.id", "=", acceptedId(db, flowId)).executeTakeFirst());

export const locateAcceptedIteration = (db: Kysely<Database>, flowId: number): Promise<LocatedIteration | undefined> =>
  selectLocated(db).where("iteration.id", "=", acceptedId(db, flowId)).executeTakeFirst();
