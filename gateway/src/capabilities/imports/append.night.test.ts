import type { DataImport } from "@fairway/contract/imports";
import type { SearchAnswer } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);
const first = "day,ship,size\n2024-01-02,Ada,1\n2024-01-03,Bob,2\n";
const into = (mode: "append" | "replace") => ({ into: { datasetCategory: "~ada", datasetId: "ships", mode } });
const create = (id: string, body: object = {}) => shared().call<DataImport>("ada", "POST", `/imports/${id}/dataset`, body);
const searched = async () => (await shared().call<SearchAnswer>("ada", "POST", "/datasets/~ada/ships/search", {})).body;
const shipsAndSizes = async () => (await searched()).results.map(({ ship, size }) => [ship, size]);

async function added(content: string, body: object = {}, mode: "append" | "replace" = "append"): Promise<DataImport> {
  const app = shared();
  const { id } = await app.read("ada", { "more.csv": content }, into(mode));
  expect(await create(id, body)).toMatchObject({ status: 202 });
  return app.settled("ada", id);
}

it("widens a column of integers for decimals, and counts what cannot be read below a tenth", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  await added("day,ship,size\n2024-01-04,Cyd,3.5\n", { acceptDrift: ["does-not-fit"] });
  await expect.poll(shipsAndSizes).toEqual([
    ["Cyd", 3.5],
    ["Bob", 2],
    ["Ada", 1],
  ]);
  const rows = Array.from({ length: 20 }, (_, index) => `2024-02-${String(index + 1).padStart(2, "0")},Dot,${index === 7 ? "?7?" : index}`);
  const { id, drift } = await app.read("ada", { "more.csv": `day,ship,size\n${rows.join("\n")}\n` }, into("append"));
  expect(drift).toMatchObject([{ kind: "does-not-fit", column: "size", count: 1 }]);
  await create(id, { acceptDrift: ["does-not-fit"] });
  await app.settled("ada", id);
  await expect.poll(async () => (await searched()).results.length).toBe(23);
  expect((await searched()).results.filter(({ size }) => size === null)).toHaveLength(1);
});

it("keeps integers that were chosen for texts, and those of more than 64 bits", async () => {
  const app = shared();
  const { id } = await app.read("ada", { "ships.csv": "day,ship,size\n2024-01-02,Ada,007\n2024-01-03,Bob,2\n" });
  await app.call("ada", "PUT", `/imports/${id}/choices`, { columns: { size: { type: "integer" } } });
  await app.settled("ada", id);
  await create(id, { name: "ships" });
  expect(await app.settled("ada", id)).toMatchObject({ status: "done" });
  await added("day,ship,size\n2024-01-04,Cyd,123456789012345678901234\n");
  await expect.poll(shipsAndSizes).toEqual([
    ["Cyd", "123456789012345678901234"],
    ["Bob", 2],
    ["Ada", 7],
  ]);
});
