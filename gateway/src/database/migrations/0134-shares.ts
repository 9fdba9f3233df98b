import { type Migration, sql } from "kysely";

export const sharesMigration: Migration = {
  async up(db) {
    // Roles and everyone stay in `shared_with_roles`, which says whether such a share is there; a row here, what they can do.
    for (const [things, shares, key] of [
      ["boards", "board_shares", "board_id"],
      ["saved_searches", "saved_search_shares", "saved_search_id"],
    ] as const) {
      await sql`
        create table ${sql.table(shares)} (
          ${sql.ref(key)} text not null references ${sql.table(things)} (id) on delete cascade,
          kind text not null,
          target text not null,
          can text not null,
          primary key (${sql.ref(key)}, kind, target)
        )`.execute(db);
      await sql`create index ${sql.ref(`${shares}_target`)} on ${sql.table(shares)} (kind, target)`.execute(db);
      // Things that others have outlive the account of its owner.
      const constraint = sql.ref(`${things}_user_id_fkey`);
      await sql`alter table ${sql.table(things)} alter column user_id drop not null`.execute(db);
      await sql`
        alter table ${sql.table(things)} drop constraint ${constraint},
        add constraint ${constraint} foreign key (user_id) references users (id) on delete set null`.execute(db);
      // The username of a deleted account.
      await sql`alter table ${sql.table(things)} add column former_owner text`.execute(db);
    }
    await sql`alter table saved_searches add column version integer not null default 1`.execute(db);
  },
};
