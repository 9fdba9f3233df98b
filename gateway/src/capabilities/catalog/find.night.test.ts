import { expect, it, onTestFinished } from "vitest";
import { catalogApp } from "#testing/catalog-app.ts";
import type { Found } from "#testing/catalog-finds.ts";

it("finds by parts of words in a database that refuses pg_trgm, and forgives typing errors once it allows it", async () => {
  const first = await catalogApp(onTestFinished);
  const { pool } = first.gateway.database;
  // The indexing of the new datasets has ended then, which uses the extension.
  await first.gateway.call("GET", "/datasets/find?text=airports", { token: first.grace });
  await pool.query("drop extension pg_trgm cascade");
  await pool.query(`
    create function refuse_extension () returns event_trigger language plpgsql
    as $$ begin raise insufficient_privilege; end $$`);
  await pool.query(
    "create event trigger refuse_extension on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse_extension()",
  );
  const namesIn = async ({ gateway }: typeof first, text: string) =>
    (await gateway.call<Found>("GET", `/datasets/find?text=${text}`, { token: first.grace })).body.hits.map(
      ({ dataset }) => dataset.datasetId,
    );
  const refused = await catalogApp(onTestFinished, {}, first.gateway);
  expect(refused.gateway.logged()).toContain("the catalog does not tolerate typos");
  expect([await namesIn(refused, "irport"), await namesIn(refused, "wind speed"), await namesIn(refused, "arports")]).toEqual([
    ["airports"],
    ["storms"],
    [],
  ]);
  await pool.query("drop event trigger refuse_extension");
  const allowed = await catalogApp(onTestFinished, {}, first.gateway);
  expect([await namesIn(allowed, "irport"), await namesIn(allowed, "arports")]).toEqual([["airports"], ["airports"]]);
});
