import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type OwnDataGateway, ownDataGateways } from "#testing/own-data-gateways.ts";

// Each gateway takes seconds to start.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Files of rows that a dataset has before small ones are merged. */
const files = 8;
const rowsOf = (from: number) =>
  Buffer.from(`name,size\n${Array.from({ length: 100 }, (_, index) => `n${from + index},${from + index}`).join("\n")}\n`);
const into = { datasetCategory: "~ada", datasetId: "things", mode: "append" as const };

let portal: Awaited<ReturnType<typeof ownDataGateways>>;
let gateway: OwnDataGateway;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  portal = await ownDataGateways({ onClose: (close) => void closing.push(close) });
  gateway = portal.first;
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

it.each<[string, Readonly<Parameters<typeof portal.stopAt>>]>([
  ["before it has merged files", ["own_data_files", "insert", "new.name = 'merged rows'"]],
  ["after it has merged files", ["own_dataset_versions", "insert"]],
  ["within the version", ["own_data_files", "update", "new.dataset_id is not null"]],
  ["before the version is visible", ["imports", "update", "new.status = 'done'"]],
])("loses and doubles no row if a gateway is killed %s", async (_, point) => {
  await gateway.dataset("ada", "things", rowsOf(0));
  for (let n = 1; n < files; n += 1) {
    const { id } = await gateway.read("ada", { [`${n}.csv`]: rowsOf(n * 100) }, { into });
    await gateway.call("ada", "POST", `/imports/${id}/dataset`, {});
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
  }
  await portal.balanced(files * 2);
  const { id } = await gateway.read("ada", { "last.csv": rowsOf(files * 100) }, { into });
  const stop = await portal.stopAt(...point);
  try {
    const acting = gateway.call("ada", "POST", `/imports/${id}/dataset`, {}).catch(() => undefined);
    await stop.reached();
    expect(await gateway.count("ada", "things")).toBe(files * 100);
    await gateway.process.kill();
    await acting;
  } finally {
    await stop.release();
  }
  await portal.missTheDead();
  gateway = await portal.start();
  expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
  await vi.waitFor(async () => expect(await gateway.count("ada", "things")).toBe((files + 1) * 100), 10_000);
  const [version] = await portal.query<{ rows: string; files: { rows: number }[] }>(
    "select rows::text, files from own_dataset_versions order by version desc limit 1",
  );
  expect(version).toMatchObject({ rows: String((files + 1) * 100), files: [{ rows: (files + 1) * 100 }] });
  // The files of the versions before are kept, besides the merged one and the last given one. The next start cleans.
  await gateway.process.stop();
  gateway = await portal.start();
  await portal.balanced(files * 2 + 2);
  expect(await portal.problems()).toEqual([]);
  const [dataset] = await portal.query<{ id: string }>("select id from own_datasets");
  expect((await gateway.call("ada", "DELETE", `/ownDatasets/${dataset?.id}?now=true`)).status).toBe(204);
  await gateway.process.stop();
  gateway = await portal.start();
  await portal.balanced(0);
});
