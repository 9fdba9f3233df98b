import { rulesCannotBeAppliedText } from "@fairway/contract/dataset-access";
import { sql } from "kysely";
import { storedDataset, storedInputs } from "#query/derived-columns.ts";
import { EngineFailed, type LookupStep, type QueryableDataset, SourceNotReady } from "#query/engine.ts";
import { columnsInConditions } from "#query/conditions.ts";
import { conditionsKey } from "#query/own-conditions.ts";
import type { Part } from "#query/scope.ts";
import { compileRaw, whereSql } from "./compile.ts";
import { withDerived } from "./derived-table.ts";
import { columnsOfRules, scopedTable } from "./scoped-table.ts";
import type { SqlServer, SqlSession } from "./server.ts";
import type { SqlTable } from "./table.ts";

/** How long it is known that a dataset has few enough rows to be looked up. */
const countedMs = 60_000;
const maxCounted = 1_000;

/** The tables of datasets with their derived columns. */
export class DerivedTables<Session extends SqlSession> {
  readonly #server: SqlServer<Session>;
  readonly #maxRows: number;
  readonly #counted = new Map<string, number>();

  constructor(server: SqlServer<Session>, maxRows: number) {
    this.#server = server;
    this.#maxRows = maxRows;
  }

  /** `only`: the columns that the work names. Rejects like `table` of the server, also for the datasets that are looked up. */
  async table(dataset: QueryableDataset, session: Session, only?: ReadonlySet<string>): Promise<SqlTable> {
    const { derived } = dataset;
    const table = await this.#scoped(storedDataset(dataset), session, only && storedInputs(dataset, only));
    if (derived === undefined) return table;
    const others: SqlTable[] = [];
    for (const step of derived) if (step.kind === "lookup") others.push(await this.#lookedUp(step, session));
    return withDerived(table, dataset, others, session.dialect);
  }

  /** The part of the stored table that is read. */
  async #scoped(dataset: QueryableDataset, session: Session, only?: ReadonlySet<string>): Promise<SqlTable> {
    const { scope } = dataset;
    if (scope.part === null) return this.#server.table(dataset, session, only);
    if (scope.problem !== null) throw new EngineFailed("not-ready", scope.problem);
    const { hidden } = scope.part;
    const read = { ...dataset, columns: [...dataset.columns, ...hidden] };
    const named = only && new Set([...only, ...columnsOfRules(scope)]);
    try {
      return scopedTable(await this.#server.table(read, session, named), scope, session.dialect, only);
    } catch (error) {
      throw isOfHidden(error, hidden) ? new EngineFailed("not-ready", rulesCannotBeAppliedText, { cause: error }) : error;
    }
  }

  #lookedUp({ dataset, key, columns }: LookupStep, session: Session): Promise<SqlTable> {
    const own = columnsInConditions(dataset.ownConditions);
    return this.other(dataset, session, new Set([...key.map(({ on }) => on), ...columns.map(({ from }) => from), ...own]));
  }

  /** The table of a dataset that is looked up. Rejects with EngineFailed if it has too many rows. */
  async other(dataset: QueryableDataset, session: Session, named?: ReadonlySet<string>): Promise<SqlTable> {
    try {
      const table = await this.table(dataset, session, named);
      await this.#requireFewRows(dataset, table, session);
      return table;
    } catch (error) {
      throw error instanceof SourceNotReady ? new SourceNotReady(error.problems, { dataset: dataset.id, cause: error.cause }) : error;
    }
  }

  async #requireFewRows(dataset: QueryableDataset, table: SqlTable, session: Session): Promise<void> {
    const { source, scope, ownConditions } = dataset;
    const key = JSON.stringify([source, scope, conditionsKey(ownConditions)]);
    const countedAt = this.#counted.get(key);
    if (countedAt !== undefined && Date.now() - countedAt < countedMs) return;
    const where = whereSql(table, { timeRange: null, area: null, conditions: ownConditions }, session.dialect);
    const count = compileRaw(sql`select ${session.dialect.cellJson(sql`count(*)`, "count")} from ${table.from}${where}`);
    const [[rows] = []] = await this.#server.rows(count, session);
    if (Number(rows) > this.#maxRows) {
      const message = `'${dataset.id}' has ${Number(rows).toLocaleString("en-US")} rows; a lookup reads at most ${this.#maxRows.toLocaleString("en-US")}.`;
      throw new EngineFailed("too-much", message);
    }
    if (this.#counted.size >= maxCounted) this.#counted.clear();
    this.#counted.set(key, Date.now());
  }
}

/** Whether a column is missing or unreadable that only the rules know. */
const isOfHidden = (error: unknown, hidden: Part["hidden"]): boolean =>
  error instanceof SourceNotReady && error.problems.some(({ column }) => hidden.some(({ name }) => name === column));
