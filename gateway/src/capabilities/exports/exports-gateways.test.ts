import { describe, expect, it } from "vitest";
import { BlockedExports, exportsApp } from "#testing/exports-app.ts";

const app = await exportsApp();
const csv = { format: "csv" };

// exports-gateways.night.test.ts has the rest.
describe("two gateways", () => {
  it("share exports: one started at the first can be read, downloaded and removed at the second", async () => {
    const [a, b] = [await app.open(), await app.open()];
    const exportId = await app.startExport(a, "ada", csv);
    expect(await app.waitForEnd(b, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000, file: { name: "Tests_rows.csv" } });
    const [fromA, fromB] = [
      await app.call(a, "ada", "GET", `/exports/${exportId}/file`),
      await app.call(b, "ada", "GET", `/exports/${exportId}/file`),
    ];
    expect(fromB.text.split("\r\n")).toHaveLength(1_002);
    expect(fromB.text).toBe(fromA.text);
    const manifests = await Promise.all(
      [a, b].map(async (gateway) => (await app.call(gateway, "ada", "GET", `/exports/${exportId}/manifest`)).body),
    );
    expect(manifests[0]).toEqual(manifests[1]);
    expect((await app.call(b, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect((await app.call(a, "ada", "GET", `/exports/${exportId}`)).status).toBe(404);
    expect([a.counters.rows, b.counters.rows]).toEqual([1_000, 0]);
  });
});

describe("a crashed gateway", () => {
  it("loses its export to another one after a timeout, and its late reports are ignored", async () => {
    const blocked = new BlockedExports();
    const crashed = await app.open({ engine: blocked.engine });
    const exportId = await app.startExport(crashed, "ada", csv);
    await app.waitForState(crashed, "ada", exportId, ({ rows }) => rows > 0);
    await app.backdate(exportId, "alive_at", 3_600);
    const b = await app.open();
    const state = await app.waitForEnd(b, "ada", exportId);
    expect(state).toMatchObject({ status: "done", rows: 1_000 });
    // The first gateway was only suspended and finishes now.
    blocked.release();
    await expect.poll(() => crashed.service.running, { timeout: 10_000 }).toBe(0);
    expect([crashed.counters, b.counters.rows]).toEqual([{ rows: 0, bytes: 0, failures: 0 }, 1_000]);
    expect(await app.stateOf(b, "ada", exportId)).toEqual(state);
    expect(await app.files()).toEqual({ scratch: [], kept: [`${exportId}.2.csv`] });
  });
});
