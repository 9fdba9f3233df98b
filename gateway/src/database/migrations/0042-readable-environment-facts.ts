import { type Migration, sql } from "kysely";

/** Characters that PostgreSQL keeps in JSON, but does not read as text. */
const unreadable = /[\0\p{Cs}]/gu;

/** Facts of environments that were stored with null characters or lone surrogates made every list of environments fail. */
export const readableEnvironmentFactsMigration: Migration = {
  async up(db) {
    const { rows } = await sql<{ id: string; facts: string }>`
      select environment_id as id, facts::text as facts from flow_environment_facts`.execute(db);
    for (const { id, facts } of rows) {
      const readable = JSON.stringify(
        JSON.parse(facts, (_, value: unknown) => (typeof value === "string" ? value.replaceAll(unreadable, " ") : value)),
      );
      await sql`update flow_environment_facts set facts = ${readable}::json where environment_id = ${id}`.execute(db);
    }
  },
};
