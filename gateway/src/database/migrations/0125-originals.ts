import { type Migration, sql } from "kysely";

interface VersionRow {
  readonly dataset_id: string;
  readonly version: number;
  readonly kind: string;
  readonly files: readonly object[];
  readonly added: readonly object[];
  readonly created_at: Date;
}

/** Of files from before. */
const unknown = { format: null, encoding: null, unreadable: null, renamed: {}, leftOut: [] };

export const originalsMigration: Migration = {
  async up(db) {
    // A version so far lists the files that it adds to the one before it: those of its rows follow from all versions.
    await sql`alter table own_dataset_versions add column originals jsonb not null default '[]'`.execute(db);
    await sql`alter table import_files add column renamed jsonb`.execute(db);
    await sql`alter table imports add column of_version integer`.execute(db);
    const { rows } = await sql<VersionRow>`
      select dataset_id, version, kind, files, added, created_at from own_dataset_versions order by dataset_id, version`.execute(db);
    const known = new Map<string, readonly object[]>();
    for (const { dataset_id: id, version, kind, files, added, created_at: createdAt } of rows) {
      const addedMs = createdAt.getTime();
      const own = added.map((file) => Object.assign({}, file, { addedMs, ...unknown }));
      const before = kind === "appended" ? (known.get(`${id} ${version - 1}`) ?? []) : [];
      const restored = kind === "restored" ? known.get(`${id} ${JSON.stringify(files)}`) : undefined;
      const originals = restored ?? [...before, ...own];
      known.set(`${id} ${version}`, originals);
      known.set(`${id} ${JSON.stringify(files)}`, originals);
      await sql`update own_dataset_versions set originals = ${JSON.stringify(originals)}::jsonb
        where dataset_id = ${id} and version = ${version}`.execute(db);
    }
  },
};
