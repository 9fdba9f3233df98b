import type { DataImport } from "@fairway/contract/imports";
import { expect, it, onTestFinished } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";

it("reads the beginning of a large file while the rest still arrives, and decides nothing by it", async () => {
  const app = await ownDataApp({ limits: { uploadPartBytes: 300_000 }, onClose: onTestFinished });
  const content = `name,size\n${Array.from({ length: 60_000 }, (_, index) => `name ${index},${index}`).join("\n")}\nlast,1.5\n`;
  const { id } = await app.upload("ada", { "large.csv": content });
  const partly = () => app.call<DataImport>("ada", "GET", `/imports/${id}`);
  await expect.poll(async () => (await partly()).body.isPartial, { timeout: 10_000 }).toBe(true);
  const { body } = await partly();
  expect([body.status, body.sample?.columns.map(({ name, type }) => `${name} ${type}`)]).toEqual([
    "uploading",
    ["name STRING", "size integer"],
  ]);
  expect((await app.call("ada", "POST", `/imports/${id}/dataset`, { name: "large" })).status).toBe(409);
  await app.call("ada", "POST", `/imports/${id}/complete`);
  const read = await app.settled("ada", id);
  expect([read.isPartial, read.reading?.rows, read.sample?.columns.map(({ type }) => type)]).toEqual([
    false,
    60_001,
    ["STRING", "decimal"],
  ]);
});
