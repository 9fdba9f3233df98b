import { createHash } from "node:crypto";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { type PortalMigration, migrations } from "./migrations.ts";

interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * Every migration in order, with a hash of its statements regardless of whitespace. Releases store the list, because a landed
 * migration must never change.
 */
export async function migrationList(): Promise<Record<string, string>> {
  const list: Record<string, string> = {};
  for (const [name, load] of Object.entries(migrations)) {
    const hash = createHash("sha256");
    for (const { text, parameters } of await statementsOf(await load())) hash.update(`${text}\0${JSON.stringify(parameters)}\0`);
    list[name] = hash.digest("hex");
  }
  return list;
}

/** The statements that a migration executes on an empty database, each on one line. */
export async function statementsOf(migration: PortalMigration): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  await migration.up(recorder((text, parameters) => statements.push({ text: text.replace(/\s+/g, " ").trim(), parameters })));
  return statements;
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
