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
  const names = Array.from({ length: 1_000 }, (_, index) => `c${index}`);
  const lines = Array.from({ length: 50 }, (_, row) => names.map((_name, index) => (row === 49 && index === 999 ? "x" : row)).join(","));
  const wide = await app.read("ada", { "wide.csv": `${names.join(",")}\n${lines.join("\n")}\n` });
  expect(wide.reading?.rows).toBe(50);
  expect(wide.sample?.columns).toHaveLength(1_000);
  expect(wide.sample?.rows).toHaveLength(20);
  expect(new Set(wide.sample?.rows.flatMap(({ values }, row) => names.map((name) => values[name] === row)))).toEqual(new Set([true]));
  expect(wide.reading?.columns.at(-1)?.unreadable.count).toBe(1);
});

it("reads many columns that are alike as it reads each of them alone", async () => {
  const app = shared();
  const rows = [
    ["1", "1.5", "2024-01-02 10:00:00", "2024-01-02", "true", "a", "12 %"],
    ["-20", "1,234.25", "2024-02-03 11:30:00", "2024-02-03", "false", "", "7.5 %"],
    ["", "n/a", "", "", "", "filled", ""],
    ["9007199254740993", "-0.125", "2024-03-04 12:45:30", "2024-03-04", "true", "text", "100 %"],
  ];
  const table = (copies: number) => {
    const names = Array.from({ length: copies }, (_, copy) =>
      ["int", "dec", "at", "day", "yes", "word", "share"].map((name) => `${name}_${copy}`),
    ).flat();
    const lines = rows.map((row) =>
      Array.from({ length: copies }, () => row.map((value) => `"${value}"`))
        .flat()
        .join(","),
    );
    return `${names.join(",")}\n${lines.join("\n")}\n`;
  };
  const read = async (copies: number) => {
    const { sample } = await app.read("ada", { "rows.csv": table(copies) });
    return sample?.rows.map(({ values }) => values) ?? [];
  };
  const [one, many] = [await read(1), await read(24)];
  expect(one).toHaveLength(4);
  expect(new Set(one.map((row) => typeof row["dec_0"]))).toContain("number");
  for (const copy of [0, 11, 23])
    expect(many.map((row) => Object.keys(one[0] ?? {}).map((name) => row[name.replace("_0", `_${copy}`)]))).toEqual(
      one.map((row) => Object.values(row)),
    );
});

it("has no value for numbers beyond all doubles, however many columns are alike", async () => {
  const app = shared();
  const table = (columns: number) => {
    const names = Array.from({ length: columns }, (_, index) => `c${index}`);
    const lines = Array.from({ length: 30 }, (_, row) => names.map(() => (row === 7 ? "9".repeat(400) : `${row}.5`)).join(","));
    return `${names.join(",")}\n${lines.join("\n")}\n`;
  };
  for (const columns of [1, 40]) {
    const { sample } = await app.read("ada", { "rows.csv": table(columns) });
    expect(sample?.rows.map(({ values }) => values["c0"]).slice(5, 9)).toEqual([5.5, 6.5, null, 8.5]);
  }
});
