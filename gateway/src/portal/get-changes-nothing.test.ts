import { afterAll, beforeAll, expect, it } from "vitest";
import { demoGateway, stormsRecipe } from "#testing/demo-gateway.ts";

/** The specification's call, which starts an update of a schema. */
const exception = "/admin/datasets/internal/{id}/schema/update";

let gateway: Awaited<ReturnType<typeof demoGateway>>;
let token: string;
beforeAll(async () => {
  // Nothing else writes meanwhile: what is recorded of calls and data is recorded in the background.
  gateway = await demoGateway(
    { FAIRWAY_SETTINGS: JSON.stringify({ limits: { auditIntervalMs: 60_000, profileIntervalHours: 8_760 } }) },
    {
      categories: [{ id: "nature", description: "" }],
      datasets: [stormsRecipe],
      filesets: [
        {
          entity: { id: "charts", description: "", s3Bucket: "charts", s3Prefix: "", allowsUploads: true, allowedRoles: [] },
          sources: {},
          selects: [],
          copies: [],
        },
      ],
    },
  );
  token = await gateway.token();
});
afterAll(() => gateway.close());

const get = (path: string, headers: Record<string, string>) => gateway.app.inject({ method: "GET", url: `/api${path}`, headers });

/** A digest of each table, without records of calls and without profiles and what they measure, which come from the background. */
async function tables(): Promise<Record<string, string>> {
  const { pool } = gateway.database;
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name !~ '^(audit|dataset_profiles|dataset_measurements|call_counts|catalog|dataset_uses|usage)'",
  );
  const digests: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ digest: string | null }>(
      `select md5(string_agg(one::text, '|' order by one::text)) as digest from "${name}" as one`,
    );
    digests[name] = found[0]?.digest ?? "";
  }
  return digests;
}

it("GET changes nothing, except for the one address of the specification, which a cookie does not open", async () => {
  const { paths } = (await get("/openapi.json", {})).json<{ paths: Record<string, { get?: object }> }>();
  const listed = Object.entries(paths).flatMap(([path, { get: described }]) => (described === undefined ? [] : [path]));
  const values: Record<string, string> = { category: "nature", datasetId: "storms", column: "id" };
  const addressOf = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? (path.startsWith("/filesets") ? "charts" : "storms"));
  expect(listed.length).toBeGreaterThan(100);
  expect(listed).toContain(exception);

  const before = await tables();
  expect(Object.keys(before).length).toBeGreaterThan(40);
  const authorization = `Bearer ${token}`;
  let successes = 0;
  for (const path of listed.filter((one) => one !== exception && one !== "/live")) {
    const { statusCode } = await get(addressOf(path), { authorization });
    expect([path, statusCode < 500 || statusCode > 501]).toEqual([path, true]);
    if (statusCode === 200) successes += 1;
  }
  expect(successes).toBeGreaterThan(60);
  expect(await tables()).toEqual(before);

  const cookie = `JWT=${token}`;
  expect((await get(addressOf(exception), { cookie })).statusCode).toBe(401);
  expect(await tables()).toEqual(before);
  expect((await get(addressOf(exception), { authorization })).statusCode).toBeLessThan(300);
  expect(await tables()).not.toEqual(before);
});
