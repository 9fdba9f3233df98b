import { release as systemRelease } from "node:os";
import type { Metadata } from "@fairway/contract/metadata";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";

export interface MetadataParts {
  readonly db: Kysely<Database>;
  readonly version: string;
  /** For example `r1`; undefined if unknown. */
  readonly release: string | undefined;
  /** Whether PostgreSQL is embedded in the portal. */
  readonly embeddedDatabase: boolean;
  readonly engine: { version(): Promise<string>; readonly metrics: { readonly running: number; readonly waiting: number } };
  readonly engineSlots: number;
  readonly catalog: { readonly forgivesTypingErrors: boolean };
}

/** Reads versions and states of the portal's parts on each call. A part that fails is reported as a problem. */
export function metadataReader(parts: MetadataParts): () => Promise<Metadata> {
  const { db, version, release, embeddedDatabase, engine, engineSlots, catalog } = parts;
  return async () => ({
    gateway: {
      version,
      ...(release === undefined ? {} : { release }),
      node: process.versions.node,
      system: `${process.platform} ${systemRelease()} ${process.arch}`,
      startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
      memoryMb: Math.round(process.memoryUsage.rss() / 1_000_000),
    },
    database: {
      kind: embeddedDatabase ? "PostgreSQL (built in)" : "PostgreSQL",
      ...(await orProblem(async () => {
        const { rows } = await sql<{ version: string; size: string }>`
          select current_setting('server_version') as version, pg_database_size(current_database()) as size`.execute(db);
        return { version: rows[0]?.version ?? "", sizeMb: Math.round(Number(rows[0]?.size ?? 0) / 1_000_000) };
      })),
    },
    engine: {
      kind: "DuckDB, embedded",
      ...(await orProblem(async () => ({ version: await engine.version() }))),
      slots: engineSlots,
      running: engine.metrics.running,
      waiting: engine.metrics.waiting,
    },
    catalog: {
      search: catalog.forgivesTypingErrors ? "Word search, tolerates typos" : "Word search, without typos",
      ...(catalog.forgivesTypingErrors ? {} : { problem: "The database has no extension pg_trgm, and the portal may not create it." }),
    },
    entities: await orProblem(async () => {
      const { rows } = await sql<{ type: string; count: number }>`
        select type, count(*)::int as count from entities group by type
        union all select 'users', count(*)::int from users
        union all select 'groups', count(*)::int from groups
        union all select 'roles', count(*)::int from roles
        order by 1`.execute(db);
      return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
    }),
  });
}

async function orProblem<T extends Metadata[string]>(read: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await read();
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 200) : "It does not answer." };
  }
}
