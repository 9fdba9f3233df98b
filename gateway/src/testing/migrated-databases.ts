import { readFile } from "node:fs/promises";
import { type Migration, Migrator, sql } from "kysely";
import { onTestFinished } from "vitest";
import { testDatabase, type TestDatabase } from "#testing/postgres.ts";
import { migrate } from "#database/migrate.ts";
import { migrations, type PortalMigration, type PortalMigrations } from "#database/migrations.ts";

const firstRelease = new URL("../../../contract/released/r1/migrations.json", import.meta.url);

export const firstNames = Object.keys(JSON.parse(await readFile(firstRelease, "utf8")) as Record<string, string>);

/** Not given to other tests afterwards: emptying a database keeps what migrations have written. */
export async function ownDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  onTestFinished(async () => {
    await database.close();
    await database.destroy();
  });
  return database;
}

/** The migration that a gateway of the first release runs when it starts. */
export async function startFirstRelease({ db }: TestDatabase): Promise<unknown> {
  const known = Object.fromEntries(firstNames.map((name): [string, Migration] => [name, { up: () => Promise.reject(new Error("again")) }]));
  const provider = { getMigrations: () => Promise.resolve(known) };
  return (await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest()).error;
}

type Wanted = Readonly<Record<string, PortalMigration | PortalMigrations[string]>>;

export const migrateTo = ({ db }: TestDatabase, wanted: Wanted) =>
  migrate(
    db as never,
    Object.fromEntries(Object.entries(wanted).map(([name, one]) => [name, typeof one === "function" ? one : () => Promise.resolve(one)])),
  );

export const namesIn = async ({ pool }: TestDatabase, table: string) =>
  (await pool.query<{ name: string }>(`select name from ${table} order by name`)).rows.map(({ name }) => name);

export const addColumn: PortalMigration = { up: (db) => sql`alter table roles add column color text`.execute(db).then(() => undefined) };

export const dropName: PortalMigration = {
  requires: "9001-color",
  up: (db) => sql`alter table roles drop column name`.execute(db).then(() => undefined),
};

export const expanded: PortalMigrations = { ...migrations, "9001-color": () => Promise.resolve(addColumn) };
