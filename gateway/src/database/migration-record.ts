/**
 * Migrations of a database. Those of the first release are in `kysely_migration`, where that release refuses every name that it
 * does not know. Later ones are in a table of our own, so that a gateway of an older release can still start while the releases are
 * exchanged one gateway at a time. Decision 0550.
 */
export const firstRecord = "kysely_migration";
export const laterRecord = "later_migrations";

/** Tables that migrating fills, and that a restored database therefore does not take from its backup. */
export const recordTables: ReadonlySet<string> = new Set([firstRecord, "kysely_migration_lock", laterRecord]);

const lastOfFirstRelease = "0017-audit-api-keys";

export const isOfFirstRelease = (name: string): boolean => name <= lastOfFirstRelease;

export interface AppliedMigration {
  readonly name: string;
  /**
   * Set if the migration removed something: the migration that replaced it. Versions without that one still use what was removed.
   */
  readonly requires: string | null;
}

interface Queryable {
  query(statement: string): Promise<{ readonly rows: readonly unknown[] }>;
}

/** In order of their names; undefined if the database has never been migrated. */
export async function readMigrationRecord(database: Queryable): Promise<readonly AppliedMigration[] | undefined> {
  const tables = await database.query(
    `select relname as name from pg_class where oid in (to_regclass('${firstRecord}'), to_regclass('${laterRecord}'))`,
  );
  const exists = new Set((tables.rows as { name: string }[]).map(({ name }) => name));
  if (!exists.has(firstRecord)) return undefined;
  // Versions before the second record have added to the first one: only versions that know these additions may follow.
  const first = await database.query(
    `select name, case when name > '${lastOfFirstRelease}' collate "C" then name end as requires from ${firstRecord}`,
  );
  const later = exists.has(laterRecord) ? await database.query(`select name, requires from ${laterRecord}`) : { rows: [] };
  const applied = [...first.rows, ...later.rows] as AppliedMigration[];
  const byName = new Map(applied.map((migration) => [migration.name, migration]));
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Migrations that keep a version with the migrations `known` from using the database: they removed something that this version still
 * uses. Unknown migrations that only added something do not matter to it.
 */
export const migrationsInTheWay = (
  applied: readonly AppliedMigration[],
  known: Readonly<Record<string, unknown>>,
): readonly AppliedMigration[] => applied.filter(({ name, requires }) => !(name in known) && requires !== null && !(requires in known));
