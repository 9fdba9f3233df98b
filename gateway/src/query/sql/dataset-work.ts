import { isAsStored, sourceConditions, storedDataset } from "#query/derived-columns.ts";
import { type DerivedStep, type EngineCall, type QueryableDataset, type RowStream, SourceNotReady } from "#query/engine.ts";
import { RowChannel } from "#query/row-channel.ts";
import type { Compiled } from "./compile.ts";
import type { Scan } from "./scan.ts";
import type { RunOptions, SqlLimits, SqlServer, SqlSession } from "./server.ts";
import type { Need, TableSource } from "./table-source.ts";
import { DerivedTables } from "./derived-tables.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

type Compile = (table: SqlTable, dialect: SqlDialect) => Compiled;
type ColumnsOf = (table: SqlTable) => readonly SqlColumn[];
type OnTableWork<T, Session> = (table: SqlTable, session: Session) => Promise<T>;

/** A dataset as it is read, with its table. */
interface Found {
  readonly dataset: QueryableDataset;
  readonly table: SqlTable;
}

/**
 * Runs work on the table of a dataset. What it needs of the data is held first (`TableSource`), then a slot is taken and its statements
 * run (`SqlServer`).
 */
export class DatasetWork<Session extends SqlSession> {
  readonly #server: SqlServer<Session>;
  readonly #source: TableSource;
  readonly #derived: DerivedTables<Session>;

  constructor(server: SqlServer<Session>, source: TableSource, limits: Pick<SqlLimits, "lookupRows">) {
    this.#server = server;
    this.#source = source;
    this.#derived = new DerivedTables(server, limits.lookupRows);
  }

  /** One slot for each statement, so that others get their turn in between. */
  scanOf(dataset: QueryableDataset, call: EngineCall, options: RunOptions): Scan {
    return (compile, only) => this.run(dataset, call, (table, session) => this.#server.rows(compile(table), session), options, only);
  }

  rows(
    dataset: QueryableDataset,
    need: Need,
    limit: number,
    call: EngineCall,
    compile: Compile,
    columnsOf: ColumnsOf = ({ columns }) => [...columns.values()],
  ): Promise<RowStream> {
    return this.texts(dataset, need, limit, call, ({ table }, session) =>
      this.#server.texts(compile(table, session.dialect), columnsOf(table), session),
    );
  }

  texts(
    dataset: QueryableDataset,
    need: Need,
    limit: number,
    call: EngineCall,
    read: (page: Found, session: Session) => AsyncIterable<readonly string[]>,
  ): Promise<RowStream> {
    return this.stream<string>(dataset, need, call, (page, channel, session) =>
      sendRows(read(page, session), limit, channel, this.#server.readsToEnd),
    );
  }

  /** `send` resolves to whether there were more rows than it has sent. What the rows are read from is held until it has. */
  async stream<Chunk extends string | Uint8Array>(
    dataset: QueryableDataset,
    need: Need,
    call: EngineCall,
    send: (page: Found, channel: RowChannel<Chunk>, session: Session) => Promise<boolean>,
  ): Promise<RowStream<Chunk>> {
    const chunks = new RowChannel<Chunk>(call.signal);
    const sent = this.using(dataset, need, call, (found) =>
      this.run(found, call, (table, session) => send({ dataset: found, table }, chunks, session)).catch((error: unknown) => {
        // Rows that are on their way are not read again from elsewhere.
        if (!chunks.isUsed) throw error;
        chunks.fail(named(error, dataset));
        return false;
      }),
    );
    const hasMore = sent.then(
      (wasCut) => {
        chunks.end();
        return wasCut;
      },
      (error: unknown) => {
        chunks.fail(error);
        return false;
      },
    );
    await chunks.started();
    return { chunks, hasMore };
  }

  query<T>(dataset: QueryableDataset, need: Need, call: EngineCall, work: OnTableWork<T, Session>): Promise<T> {
    return this.using(dataset, need, call, (found) => this.run(found, call, work));
  }

  /** Holds the data while `work` runs, which takes slots. Says which dataset cannot be searched. */
  async using<T>(
    dataset: QueryableDataset,
    need: Need,
    call: EngineCall,
    work: (found: QueryableDataset, isPart: boolean) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#source.use(dataset.source, needOf(dataset, need), call, (source, isPart) =>
        this.#holdingLookups({ ...dataset, source }, need, call, (found) => work(found, isPart)),
      );
    } catch (error) {
      throw named(error, dataset);
    }
  }

  /** The same with another dataset, which is read whole, as far as its readers may. */
  usingBoth<T>(
    dataset: QueryableDataset,
    other: QueryableDataset,
    need: Need,
    call: EngineCall,
    work: (found: QueryableDataset, other: QueryableDataset) => Promise<T>,
  ): Promise<T> {
    return this.using(dataset, need, call, (found) =>
      this.using(other, { query: { conditions: other.ownConditions } }, call, (foundOther) => work(found, foundOther)),
    );
  }

  /** Wraps work on the tables of two datasets, the second of which is looked up, so that its failures are explained. */
  onTables<T>(
    dataset: QueryableDataset,
    other: QueryableDataset,
    work: (table: SqlTable, other: SqlTable, session: Session) => Promise<T>,
  ): (session: Session) => Promise<T> {
    return async (session) => {
      const foundOther = await this.#derived.other(other, session);
      return this.onTable(dataset, (table) => work(table, foundOther, session))(session);
    };
  }

  /** The datasets that are looked up are read whole, as far as their readers may. */
  async #holdingLookups<T>(
    dataset: QueryableDataset,
    { waits }: Need,
    call: EngineCall,
    work: (found: QueryableDataset) => Promise<T>,
  ): Promise<T> {
    const hold = async (steps: readonly DerivedStep[], held: readonly DerivedStep[]): Promise<T> => {
      const [step, ...others] = steps;
      if (step === undefined) return work({ ...dataset, derived: held });
      if (step.kind === "computed") return hold(others, [...held, step]);
      const need: Need = { query: { conditions: step.dataset.ownConditions }, ...(waits === undefined ? {} : { waits }) };
      return this.using(step.dataset, need, call, (found) => hold(others, [...held, { ...step, dataset: found }]));
    };
    return dataset.derived === undefined ? work(dataset) : hold(dataset.derived, []);
  }

  /** Runs work in a slot. */
  run<T>(
    dataset: QueryableDataset,
    call: EngineCall,
    work: OnTableWork<T, Session>,
    options?: RunOptions,
    only?: ReadonlySet<string>,
  ): Promise<T> {
    return this.#server.runner.run(call, this.onTable(dataset, work, only), options);
  }

  /** Wraps work on the dataset's table so that its failures are explained. `only`: the columns that the work names. */
  onTable<T>(dataset: QueryableDataset, work: OnTableWork<T, Session>, only?: ReadonlySet<string>): (session: Session) => Promise<T> {
    return async (session) => {
      const table = await this.#derived.table(dataset, session, only);
      try {
        return await work(table, session);
      } catch (error) {
        throw await this.#server.explain(error, storedDataset(dataset), session);
      }
    };
  }
}

/** Sources know nothing of derived columns and coarse values, by which they would leave rows out, but of the values that rules ask for. */
function needOf(dataset: QueryableDataset, need: Need): Need {
  if ((dataset.derived === undefined && dataset.scope.part === null) || need.query === undefined) return need;
  const { conditions, timeRange = null } = need.query;
  const isStored = timeRange !== null && isAsStored(dataset)(timeRange.column);
  return { ...need, query: { conditions: sourceConditions(dataset, conditions), timeRange: isStored ? timeRange : null } };
}

/** Says which dataset cannot be searched. */
const named = (error: unknown, { id }: QueryableDataset): unknown =>
  error instanceof SourceNotReady && error.message.startsWith("The dataset cannot be read")
    ? new SourceNotReady(error.problems, { dataset: id, cause: error.cause })
    : error;

/** Resolves to whether there were more rows than `limit`. */
async function sendRows(
  parts: AsyncIterable<readonly string[]>,
  limit: number,
  channel: RowChannel,
  readsToEnd: boolean,
): Promise<boolean> {
  let sent = 0;
  let wasCut = false;
  for await (const texts of parts) {
    const allowed = texts.slice(0, limit - sent);
    if (allowed.length > 0 && !(await channel.push((sent === 0 ? "" : ",") + allowed.join(",")))) return false;
    sent += allowed.length;
    wasCut ||= allowed.length < texts.length;
    if (wasCut && !readsToEnd) return true;
  }
  return wasCut;
}
