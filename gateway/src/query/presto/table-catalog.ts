import { type RawBuilder, sql } from "kysely";
import { type EngineCall, EngineFailed, SourceNotReady, type TableCatalog, type TableListing } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { StatementError } from "./client/failures.ts";
import type { StatementRunner, StatementSession } from "./statement-runner.ts";
import { type TableMetadataCache, isAbsent } from "./table-metadata.ts";
import { nameOfParts, namePartsOf } from "./table-name.ts";

interface Parts {
  readonly runner: Pick<StatementRunner, "run">;
  readonly tables: Pick<TableMetadataCache, "get">;
}

/** Lists catalogs, schemas, tables and the columns by which a table is partitioned. Decision 0525. */
export const tableCatalog = ({ runner, tables }: Parts): TableCatalog => ({
  list: async (within, request, call) => {
    const parts = namePartsOf(within);
    if (parts === undefined || parts.length > 2) throw new SourceNotReady([absent]);
    return runner.run(call, (session) => listed(parts, request, session));
  },
  partitions: (source, call: EngineCall) =>
    runner.run(call, async (session) => {
      const { columns } = await tables.get(source, session);
      return [...columns].flatMap(([name, { isPartition }]) => (isPartition ? [name] : []));
    }),
});

const absent = { code: "data-missing", reason: "there is no such catalog" } as const;

async function listed(
  parts: readonly string[],
  { contains, limit }: { readonly contains: string; readonly limit: number },
  session: StatementSession,
): Promise<TableListing> {
  const [catalog, schema] = parts;
  // One more than the limit, which shows that there are more.
  const rows =
    catalog === undefined
      ? await session.rows(compileRaw(sql`show catalogs`))
      : await session.rows(compileRaw(namesOf(catalog, schema, { contains, limit: limit + 1 }, session))).catch((error: unknown) => {
          throw error instanceof StatementError && isAbsent(error) ? new SourceNotReady([absent], { cause: error }) : error;
        });
  const wanted = contains.toLowerCase();
  const names = rows
    .flatMap(([name]) => (typeof name === "string" && !/\p{Cc}/u.test(name) ? [name] : []))
    .filter((name) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => (one < other ? -1 : 1));
  return {
    kind: catalog === undefined ? "catalog" : schema === undefined ? "schema" : "table",
    entries: names.slice(0, limit).map((name) => ({ name, path: nameOfParts([...parts, name]) })),
    isCut: names.length > limit,
  };
}

/** The server's own schema holds no data. */
function namesOf(
  catalog: string,
  schema: string | undefined,
  { contains, limit }: { readonly contains: string; readonly limit: number },
  { dialect }: StatementSession,
): RawBuilder<unknown> {
  const name = sql.id(schema === undefined ? "schema_name" : "table_name");
  const from = sql.id(catalog, "information_schema", schema === undefined ? "schemata" : "tables");
  const where = schema === undefined ? sql`${name} <> 'information_schema'` : sql`table_schema = ${schema}`;
  const filter = contains === "" ? sql`` : sql` and ${dialect.contains(name, contains)}`;
  return sql`select ${name} from ${from} where ${where}${filter} order by ${name} limit ${dialect.rowCount(limit)}`;
}

const noServerMessage =
  "No query server is connected. Enter the address of a Trino or Presto server as 'prestoURL' of the enabled Configuration.";

const refuse = () => Promise.reject(new EngineFailed("not-ready", noServerMessage));

/** The catalog while the configuration names no server. */
export const noTableCatalog: TableCatalog = { list: refuse, partitions: refuse };
