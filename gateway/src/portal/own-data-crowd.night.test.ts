import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { ownDataGateways } from "#testing/own-data-gateways.ts";

vi.setConfig({ testTimeout: 240_000 });

const partBytes = 5_242_880;
const [files, partsEach, searches] = [10, 5, 30];
const retryMs = 100;

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

it("50 parts of one person at once neither stop nor break the searches of another", async ({ annotate }) => {
  const portal = await ownDataGateways({ env: { LIMIT_UPLOAD_PART_BYTES: String(partBytes), LIMIT_USER_UPLOADS_PER_MINUTE: "1000" } });
  const { first: gateway } = portal;
  await gateway.dataset(
    "alan",
    "mine",
    Buffer.from(`name,size\n${Array.from({ length: 200_000 }, (_, index) => `n${index % 997},${index}`).join("\n")}\n`),
  );
  const search = async (): Promise<number> => {
    const startedMs = performance.now();
    const body = { filters: [{ name: "name", operator: "=", value: "n5" }] };
    expect((await gateway.call("alan", "POST", "/datasets/~alan/mine/search", body)).status).toBe(200);
    return performance.now() - startedMs;
  };
  const repeated = async () => {
    const times: number[] = [];
    for (let turn = 0; turn < searches; turn += 1) times.push(await search());
    return median(times);
  };
  await repeated();
  const alone = await repeated();

  const content = Buffer.alloc(partBytes * partsEach, "name,size\nabc,123\n");
  const names = Array.from({ length: files }, (_, index) => `things-${index}.csv`);
  const started = await gateway.start("ada", Object.fromEntries(names.map((name) => [name, content])));
  const sending = Promise.all(
    started.files.flatMap(({ number }) =>
      Array.from({ length: partsEach }, async (_, index) => {
        // More at once than one person may send are refused, and sent again.
        for (;;) {
          const status = await gateway.sendPart("ada", started, number, index + 1, content);
          if (status !== 429 && status !== 503) return status;
          await sleep(retryMs);
        }
      }),
    ),
  );
  const beside = await repeated();
  await annotate(
    `median of a search: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside 50 parts (${(beside / alone).toFixed(1)} times)`,
  );
  expect(await sending).toEqual(Array.from({ length: files * partsEach }, () => 204));

  expect((await gateway.call("ada", "DELETE", `/imports/${started.id}`)).status).toBe(204);
  await portal.balanced(2);
  await portal.tidy();
  expect(await portal.problems()).toEqual([]);
});
