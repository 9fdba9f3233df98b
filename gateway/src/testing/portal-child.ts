import { writeFile } from "node:fs/promises";
import Fastify from "fastify";
import { runPortal } from "#portal/portal-process.ts";
import { sql } from "kysely";

/** Entry point of a portal process around a small app, for tests that start, stop and kill it. */
await runPortal({
  demo: false,
  openService: async ({ log, database, print }) => {
    await sql`create table if not exists acknowledged (id bigint primary key)`.execute(database.db);
    const app = Fastify({ loggerInstance: log });
    app.get("/ids", async () =>
      (await database.pool.query<{ id: string }>("select id from acknowledged")).rows.map(({ id }) => Number(id)),
    );
    app.post<{ Params: { id: string } }>("/ids/:id", async ({ params }) => {
      await database.pool.query("insert into acknowledged values ($1)", [params.id]);
      return { id: Number(params.id) };
    });
    // Responds after the database's sleep, even if the process is asked to stop meanwhile.
    app.get("/slow", async () => {
      print("slow request began");
      await database.pool.query("select pg_sleep(1)");
      return { done: true };
    });
    // Created with the process's umask.
    const { FAIRWAY_TEST_FILE: file } = process.env;
    if (file !== undefined) await writeFile(file, "written");
    return { app: app as never, close: () => Promise.resolve() };
  },
});
