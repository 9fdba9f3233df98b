import type { TableLevel } from "@fairway/contract/dataset-administration";
import { Refusal } from "#http/refusal.ts";
import { type EngineCall, EngineFailed, type QueryEngine, SourceNotReady, type TableCatalog } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";
import { namePartsOf } from "#query/presto/table-name.ts";
import { type FoundDataset, asWords, idFromName, inspectSource } from "./inspect-source.ts";

export interface TableInspectionParts {
  readonly engines: Engines;
  readonly sampleRows: number;
}

const maxEntries = 200;

/** Lists catalogs, schemas or tables of the query server. Refuses a catalog that does not exist with not-found. */
export function listTables(
  parts: TableInspectionParts,
  { within, contains }: { readonly within: string; readonly contains: string },
  call: EngineCall,
): Promise<TableLevel> {
  return withTables(parts, "", async (_engine, tables) => {
    try {
      const { entries, ...listed } = await tables.list(within, { contains, limit: maxEntries }, call);
      return { ...listed, entries: [...entries] };
    } catch (error) {
      if (isMissing(error)) throw new Refusal("not-found", `The query server has no catalog or schema '${within}'.`, { path: "within" });
      throw error;
    }
  });
}

/** Proposes a dataset of a table. Reads its description, some rows, and of a possible map item at most 20,000 rows. */
export function inspectTable(parts: TableInspectionParts, table: string, call: EngineCall): Promise<FoundDataset> {
  return withTables(parts, table, async (engine, tables) => {
    const source = { kind: "table" as const, name: table };
    try {
      const partitions = await tables.partitions(source, call);
      const [, schema = "", own = ""] = namePartsOf(table) ?? [];
      const name = { id: idFromName(own), category: asWords(schema), categoryIs: "schema" as const };
      return await inspectSource(engine, { name, source, partitions, sampleRows: parts.sampleRows }, call);
    } catch (error) {
      if (isMissing(error)) throw new Refusal("not-found", `The query server has no table '${table}'.`, { path: "table" });
      // Such as a view whose own statement is wrong.
      if (error instanceof EngineFailed && error.reason === "failed") {
        throw new Refusal("not-supported", `'${table}' cannot be read. ${error.message}`, { path: "table", cause: error });
      }
      throw error;
    }
  });
}

async function withTables<T>(
  { engines }: TableInspectionParts,
  table: string,
  work: (engine: QueryEngine, tables: TableCatalog) => Promise<T>,
): Promise<T> {
  const { engine, release } = await engines.lease({ kind: "table", name: table });
  try {
    if (engine.tables === undefined) throw new Refusal("not-supported", "The engine of tables cannot list them.");
    return await work(engine, engine.tables);
  } finally {
    release();
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof SourceNotReady && error.problems.some(({ code }) => code === "data-missing");
