import { writeFile } from "node:fs/promises";
import Fastify from "fastify";
import { runPortal } from "#portal-process.ts";
import { sql } from "kysely";

/** A whole portal process around a small app, for tests that start, stop and kill it: `node … portal-child.ts`. */
await runPortal({
  demo: false,
  openService: async ({ log, database, say }) => {
    await sql`create table if not exists acknowledged (id bigint primary key)`.execute(database.db);
    const app = Fastify({ loggerInstance: log });
    app.get("/ids", async () =>
      (await database.pool.query<{ id: string }>("select id from acknowledged")).rows.map(({ id }) => Number(id)),
    );
    app.post<{ Params: { id: string } }>("/ids/:id", async ({ params }) => {
      await database.pool.query("insert into acknowledged values ($1)", [params.id]);
      return { id: Number(params.id) };
    });
    // Answers when the database has waited, however the process is asked to stop meanwhile.
    app.get("/slow", async () => {
      say("slow request began");
      await database.pool.query("select pg_sleep(1)");
      return { done: true };
    });
    // With the rights that the process gives.
    const { FAIRWAY_TEST_FILE: file } = process.env;
    if (file !== undefined) await writeFile(file, "written");
    return { app: app as never, close: () => Promise.resolve() };
  },
});
