import { type RawBuilder, sql } from "kysely";
import { type DatasetSource, EngineFailed, SourceNotReady } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { StatementError } from "./client/failures.ts";
import type { StatementSession } from "./statement-runner.ts";
import { type ServerType, parseType } from "./column-types.ts";
import { namePartsOf } from "./table-name.ts";

/** A table as the server describes it. */
export interface TableMetadata {
  readonly from: RawBuilder<unknown>;
  readonly columns: ReadonlyMap<string, TableColumn>;
}

interface TableColumn {
  /** As DESCRIBE names the type. */
  readonly typeText: string;
  readonly type: ServerType;
  readonly comment: string;
  /** Whether rows with different values of it are stored apart. */
  readonly isPartition: boolean;
}

/** How long a description is used. Statements that fail read it anew. */
const cacheMs = 60_000;
const maxKnown = 10_000;

/** Describes tables and caches the descriptions. */
export class TableMetadataCache {
  readonly #asUser: boolean;
  readonly #known = new Map<string, { readonly table: string; readonly metadata: TableMetadata; readonly readAtMs: number }>();

  /** `asUser`: two people may see different columns of a table. */
  constructor(asUser: boolean) {
    this.#asUser = asUser;
  }

  /** Rejects with SourceNotReady if there is no such table. */
  async get(source: DatasetSource, session: StatementSession): Promise<TableMetadata> {
    const name = requireTable(source);
    const key = JSON.stringify([name, this.#asUser ? session.user : undefined]);
    const known = this.#known.get(key);
    if (known !== undefined && Date.now() - known.readAtMs < cacheMs) return known.metadata;
    const metadata = await describe(name, session);
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(key, { table: name, metadata, readAtMs: Date.now() });
    return metadata;
  }

  forget(source: DatasetSource): void {
    if (source.kind !== "table") return;
    for (const [key, { table }] of this.#known) if (table === source.name) this.#known.delete(key);
  }
}

async function describe(name: string, session: StatementSession): Promise<TableMetadata> {
  const parts = namePartsOf(name);
  if (parts?.length !== 3) throw missing(`"${name}" is not of the form catalog.schema.table`);
  const from = sql`${sql.id(...parts)}`;
  const rows = await session.rows(compileRaw(sql`describe ${from}`)).catch((error: unknown) => {
    throw error instanceof StatementError && isAbsent(error) ? missing(error.serverMessage.slice(0, 300), error) : error;
  });
  const columns = new Map(
    rows.map(([column, type, extra, comment]): [string, TableColumn] => {
      const typeText = String(type);
      const isPartition = extra === "partition key";
      return [String(column), { typeText, type: parseType(typeText), comment: typeof comment === "string" ? comment : "", isPartition }];
    }),
  );
  return { from, columns };
}

/** Presto reports everything that a statement names in vain as an error of its syntax; a statement without anything of users has no other. */
export const isAbsent = ({ errorName }: StatementError): boolean =>
  /^(?:TABLE|SCHEMA|CATALOG)_NOT_FOUND$|^(?:MISSING_(?:TABLE|SCHEMA|CATALOG)|NOT_FOUND|SYNTAX_ERROR)$/.test(errorName);

const missing = (detail: string, cause?: unknown): SourceNotReady =>
  new SourceNotReady([{ code: "data-missing", reason: "its table is missing", detail }], { cause });

function requireTable(source: DatasetSource): string {
  if (source.kind !== "table") throw new EngineFailed("failed", "This dataset's source is not a table of the query server.");
  return source.name;
}
