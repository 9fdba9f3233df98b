import type { DatasetDescription } from "@fairway/contract/datasets";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

const trips =
  "time,lat,lng,ship,knots\n2024-01-02 10:00:00,53.5,9.9,Ada,12.5\n2024-01-02 12:00:00,53.6,9.8,Ada,n/a\n2024-01-03 09:30:00,53.7,9.7,Bob,7\n";

it("makes a dataset of a file that is found, described and searched by its owner only", async () => {
  const app = shared();
  const read = await app.read("ada", { "trips.csv": trips });
  expect(read).toMatchObject({
    status: "ready",
    failure: null,
    suggestedName: "trips",
    isPartial: false,
    fields: { temporalField: "time", latitude: "lat", longitude: "lng", itemField: "ship" },
    openQuestions: [],
  });
  expect(read.reading).toMatchObject({ rows: 3, files: [{ file: "trips.csv", delimiter: "," }] });
  expect(read.sample?.rows).toHaveLength(3);
  expect(read.sample?.spreads.map(({ column }) => column)).toEqual(["time", "lat", "lng", "ship", "knots"]);
  const done = await app.dataset("ada", "trips", trips, { description: "Of two ships." });
  expect(done).toMatchObject({ status: "done", dataset: { datasetCategory: "~ada", datasetId: "trips", supportsMapResults: true } });

  const path = "/datasets/~ada/trips";
  const description = await app.call<DatasetDescription>("ada", "GET", `${path}/describe`);
  expect(description.body).toMatchObject({
    description: "Of two ships.",
    source: { kind: "imported" },
    own: { title: null, owner: "ada", can: "own", isShared: false },
    dataVersion: 1,
    temporalField: "time",
    timeExtent: { startMs: Date.UTC(2024, 0, 2, 10), endMs: Date.UTC(2024, 0, 3, 9, 30) },
  });
  const search = await app.call<{ data: object[] }>("ada", "POST", `${path}/search`, {});
  expect(search.status).toBe(200);
  expect(JSON.stringify(search.body)).toContain('"ship":"Bob"');
  const list = await app.call<{ id: string }[]>("ada", "GET", "/datasets");
  expect(list.body.map(({ id }) => id)).toEqual(["~ada"]);

  for (const other of ["alan", "root", "grace"]) {
    expect((await app.call(other, "GET", "/datasets")).body).toEqual([]);
    const missing = await app.call(other, "GET", "/datasets/~ada/nothing/describe");
    expect(missing.status).toBe(404);
    expect(await app.call(other, "GET", `${path}/describe`)).toMatchObject({ status: 404, body: missing.body });
  }
});

it("takes Breite and Länge for a position only where their values look like degrees", async () => {
  const app = shared();
  const places = await app.read("ada", { "orte.csv": "Ort;Breite;Länge\nBerlin;52,5170;13,3889\nHamburg;53,5503;9,9920\n" });
  expect(places.fields).toMatchObject({ latitude: "Breite", longitude: "Länge" });
  const boxes = await app.read("ada", { "kisten.csv": "Kiste;Breite;Länge\na;30,5;40\nb;25;60,5\n" });
  expect(boxes.fields).toMatchObject({ latitude: null, longitude: null });
});

it("shows fewer rows of a wide table, whose values are all checked", async () => {
  const app = shared();
  const names = Array.from({ length: 250 }, (_, index) => `c${index}`);
  const lines = Array.from({ length: 90 }, (_, row) => names.map((_name, index) => (row === 89 && index === 249 ? "x" : row)).join(","));
  const wide = await app.read("ada", { "wide.csv": `${names.join(",")}\n${lines.join("\n")}\n` });
  expect(wide.reading?.rows).toBe(90);
  expect(wide.sample?.columns).toHaveLength(250);
  expect(wide.sample?.rows).toHaveLength(80);
  expect(new Set(wide.sample?.rows.flatMap(({ values }, row) => names.map((name) => values[name] === row)))).toEqual(new Set([true]));
  expect(wide.reading?.columns.at(-1)?.unreadable.count).toBe(1);
});

it("shows only the beginning of long values, and fewer rows of them", async () => {
  const app = shared();
  const numbers = Array.from({ length: 40 }, (_, index) => `${index},a\n`).join("");
  const long = `x${"🚢".repeat(1_000)}`;
  const read = await app.read("ada", { "long.csv": `n,name\n1,${long}\n${long},b\n${numbers}` });
  expect(read.sample?.rows[0]?.values["name"]).toBe(`x${"🚢".repeat(499)}\ufffd…`);
  expect(read.sample?.rows[1]?.unreadable?.["n"]).toBe(`x${"🚢".repeat(99)}\ufffd`);
  const line = (value: string) => `${Array.from({ length: 100 }, () => value).join()}\n`;
  const wide = await app.read("ada", { "wide.csv": `${line("name")}${line("x".repeat(1_000)).repeat(30)}` });
  expect([wide.reading?.rows, wide.sample?.rows.length]).toEqual([30, 19]);
});

it("reads the UTF-8 of a line that is longer than what is looked at together", async () => {
  const read = await shared().read("ada", { "ships.csv": `name\nx\nx${"🚢".repeat(400_000)}\n` });
  expect(read.reading?.files[0]?.encoding).toBe("utf-8");
});

it("refuses a table of more columns than the engine can read within a moment", async () => {
  const app = shared();
  const wide = await app.read("ada", { "wide.csv": `${"a,".repeat(100_000)}a\n1\n` });
  expect(wide.failure).toMatchObject({ kind: "invalid-request", message: expect.stringContaining("more than 10,000 columns") });
  const names = Array.from({ length: 200_000 }, (_, index) => `"p${index}":1`).join();
  const feature = `{"type":"Feature","geometry":null,"properties":{${names}}}`;
  const map = await app.read("ada", { "map.geojson": `{"type":"FeatureCollection","features":[${feature}]}` });
  expect(map).toMatchObject({ status: "failed", failure: { kind: "invalid-request" } });
});
