import { readdirSync } from "node:fs";
import type { Migration } from "kysely";

export interface PortalMigration extends Migration {
  /**
   * Set if it removes something that an earlier version uses: the migration that replaced it, which the last release must already
   * have. Versions without that one refuse to start afterwards. See docs/releases.md.
   */
  readonly requires?: string;
}

/** Functions that load migrations, by name, in order. */
export type PortalMigrations = Readonly<Record<string, () => Promise<PortalMigration>>>;

const folder = new URL("migrations/", import.meta.url);
const migrationFile = /^(\d{4}-[a-z-]+)\.(?:ts|js)$/;

/**
 * Every file of the folder by its name, which the database records. A landed migration must never change. Files are loaded only to
 * apply them: most starts apply none.
 */
export const migrations: PortalMigrations = Object.fromEntries(
  readdirSync(folder)
    .toSorted()
    .flatMap((file) => {
      const name = migrationFile.exec(file)?.[1];
      return name === undefined ? [] : [[name, () => load(file)] as const];
    }),
);

async function load(file: string): Promise<PortalMigration> {
  const exported: unknown[] = Object.values((await import(new URL(file, folder).href)) as object);
  const [migration, ...others] = exported.filter(isMigration);
  if (migration === undefined || others.length > 0) throw new Error(`the file ${file} must export one migration`);
  return migration;
}

const isMigration = (value: unknown): value is PortalMigration => typeof value === "object" && value !== null && "up" in value;
