import { createHash } from "node:crypto";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { migrations } from "./migrations.ts";

/**
 * Every migration in order, with a hash of its statements regardless of whitespace. Releases store the list, because a landed
 * migration must never change.
 */
export async function migrationList(): Promise<Record<string, string>> {
  const list: Record<string, string> = {};
  for (const [name, migration] of Object.entries(migrations)) {
    const hash = createHash("sha256");
    await migration.up(
      recorder((statement, parameters) => hash.update(`${statement.replace(/\s+/g, " ").trim()}\0${JSON.stringify(parameters)}\0`)),
    );
    list[name] = hash.digest("hex");
  }
  return list;
}

/** Records statements without executing them. */
const recorder = (record: (statement: string, parameters: readonly unknown[]) => void): Kysely<never> =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => record(event.query.sql, event.query.parameters),
  });
