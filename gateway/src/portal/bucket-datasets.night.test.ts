import { expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "#config/config.ts";
import { type Portal, startPortal } from "#portal/portal.ts";
import { openService } from "#portal/service.ts";
import { FakeS3, fail } from "#testing/fake-s3.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";

// Starting a gateway is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Union of the response bodies in this test. */
interface Body {
  token: { access_token: string };
  dataset: object;
  warnings?: unknown[];
  exportId: string;
  status: string;
}

const root = { username: "root", password: "tide-table" };

it("a dataset that New from data proposes of a bucket is searched, counted and exported, also after a restart without copying again", async () => {
  const s3 = await FakeS3.start();
  onTestFinished(() => s3.stop());
  for (const day of [1, 2, 3])
    s3.put("lake", `ships/day=2024-01-0${day}/a.csv`, `callsign,speed\n${`A${day},${day}.5\nB${day},\n`.repeat(20)}`);
  const { url } = await testDatabaseForOneTest();
  const environment = {
    FAIRWAY_HOME: await temporaryFolder(),
    DATABASE_URL: url,
    PORT: "0",
    LOG_LEVEL: "silent",
    FAIRWAY_ADMIN_USERNAME: root.username,
    FAIRWAY_ADMIN_PASSWORD: root.password,
    FAIRWAY_S3_ACCESS_KEY_ID: "key",
    FAIRWAY_S3_SECRET_ACCESS_KEY: "secret",
    FAIRWAY_S3_DATASET_BUCKETS: "lake/ships",
    FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1",
  };
  const start = () =>
    startPortal({
      config: { ...readConfig(environment, { demo: false }), webRoot: null },
      openService: (foundation) => openService(foundation),
      print: () => undefined,
      signal: new AbortController().signal,
    });
  let token = "";
  const call = async (portal: Portal, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const response = await fetch(`${portal.address}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as Body };
  };

  const first = await start();
  const login = await call(first, "POST", "/auth/login", root);
  token = login.body.token.access_token;
  const enabled = await call(first, "POST", "/admin/config", { name: "live", s3URL: s3.address.url, enabled: true });
  expect(enabled.status).toBeLessThan(300);
  expect((await call(first, "GET", "/admin/buckets?within=s3://lake/ships")).body).toMatchObject({
    entries: [{ name: "day=2024-01-01" }, {}, {}],
  });
  expect((await call(first, "GET", "/admin/buckets?within=s3://lake")).status).not.toBe(200);
  const inspected = await call(first, "POST", "/admin/datasets/internal/inspect", { path: "s3://lake/ships" });
  expect([inspected.status, inspected.body]).toMatchObject([200, { files: 3, dataset: { source: { glob: "s3://lake/ships/**/*.csv" } } }]);
  const created = await call(first, "POST", "/admin/datasets/internal", {
    ...inspected.body.dataset,
    category: "Sea",
    enabled: true,
  });
  expect([created.status, created.body.warnings ?? []]).toEqual([201, []]);

  const search = { filters: [], paging: { offset: 0, max: 3 } };
  const rows = await call(first, "POST", "/datasets/Sea/ships/search", search);
  expect([rows.status, rows.text]).toEqual([200, expect.stringContaining('"callsign":"A1"')]);
  const counted = await call(first, "POST", "/datasets/Sea/ships/aggregate/count/*", { filters: [] });
  expect([counted.status, counted.text]).toEqual([200, expect.stringContaining("120")]);
  const started = await call(first, "POST", "/datasets/Sea/ships/export", { format: "csv", search: {} });
  expect(started.status).toBe(202);
  const state = async () => (await call(first, "GET", `/exports/${started.body.exportId}`)).body;
  await expect.poll(async () => (await state()).status, { timeout: 60_000 }).not.toBe("running");
  expect(await state()).toMatchObject({ status: "done", rows: 120 });
  expect((await call(first, "GET", "/metrics")).text).toMatch(/^fairway_s3_cache_files 3$/m);
  expect(s3.downloads).toEqual({ "ships/day=2024-01-01/a.csv": 1, "ships/day=2024-01-02/a.csv": 1, "ships/day=2024-01-03/a.csv": 1 });
  await first.stop();

  const second = await start();
  onTestFinished(() => second.stop());
  expect((await call(second, "POST", "/datasets/Sea/ships/search", search)).text).toBe(rows.text);
  expect(Object.values(s3.downloads)).toEqual([1, 1, 1]);
  s3.fault = (_, response) => (fail(response, 403, "AccessDenied"), true);
  await expect
    .poll(async () => (await call(second, "POST", "/datasets/Sea/ships/search", search)).text, { timeout: 20_000 })
    .toContain("does not allow the portal to do this in the bucket 'lake'");
});
