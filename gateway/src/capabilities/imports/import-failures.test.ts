import { gzipSync } from "node:zlib";
import type { DataImport, ImportedRow } from "@fairway/contract/imports";
import { expect, it, onTestFinished } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);
const file = (name: string, size = 10) => ({ files: [{ file: name, size }] });
const start = (username: string, body: object) => shared().call<DataImport>(username, "POST", "/imports", body);
const message = ({ body }: { body: object }) => (body as { errors: { message: string }[] }).errors[0]?.message;

it("refuses people without the role, files that cannot be read, and too large ones, in words that say what to do", async () => {
  const forbidden = await start("grace", file("a.csv"));
  expect([forbidden.status, message(forbidden)]).toEqual([
    403,
    "You may not bring data of your own. Ask an administrator for the role 'data-upload'.",
  ]);
  const workbook = await start("ada", file("plan.xls"));
  expect([workbook.status, message(workbook)]).toEqual([400, "'plan.xls' is an Excel 97 workbook; save it as .xlsx or CSV."]);
  const large = await start("ada", file("a.csv", 1_000_000_001));
  expect([large.status, message(large)]).toEqual([413, "Files may have at most 1 GB."]);
  expect((await start("ada", {})).status).toBe(400);
});

it("counts what is being uploaded, so that nobody keeps more than there is room for", async () => {
  const app = await ownDataApp({ limits: { ownDataBytesPerUser: 2_000_000_000 }, onClose: onTestFinished });
  for (const size of [1_000_000_000, 900_000_000]) {
    expect(await app.call("ada", "POST", "/imports", file("a.csv", size))).toMatchObject({ status: 201 });
  }
  const refused = await app.call<DataImport>("ada", "POST", "/imports", file("a.csv", 400_000_000));
  expect([refused.status, message(refused)]).toEqual([
    507,
    "You keep 1.9 of 2 GB; this needs 0.4 GB. Delete a dataset or older versions first.",
  ]);
  const { body: listed } = await app.call<{ id: string }[]>("ada", "GET", "/imports");
  expect(listed).toHaveLength(2);
  expect((await app.call("ada", "DELETE", `/imports/${listed[0]?.id}`)).status).toBe(204);
  expect((await app.call("ada", "POST", "/imports", file("a.csv", 400_000_000))).status).toBe(201);
});

it("fails for files without rows and with bytes of another format, which discarding removes", async () => {
  const app = shared();
  const before = await app.stored();
  const empty = await app.read("ada", { "a.csv": "name,size\n" });
  expect(empty).toMatchObject({ status: "failed", failure: { kind: "invalid-request", message: "The file has no rows." } });
  const web = await app.read("ada", { "a.csv": "<!DOCTYPE html>\n<html>" });
  expect(web.failure).toEqual({ kind: "not-supported", message: "'a.csv' is a web page; save its table as CSV." });
  for (const { id } of [empty, web]) expect((await app.call("ada", "DELETE", `/imports/${id}`)).status).toBe(204);
  expect(await app.stored()).toEqual(before);
  expect((await app.call("ada", "GET", `/imports/${empty.id}`)).status).toBe(404);
});

it("waits for the answer to an open question, or for the one that the rules have chosen", async () => {
  const app = shared();
  const open = await app.read("ada", { "days.csv": "day,size\n01/02/2024,1\n03/04/2024,2\n" });
  expect(open.openQuestions).toEqual(["dateOrder"]);
  const refused = await app.call("ada", "POST", `/imports/${open.id}/dataset`, { name: "days" });
  expect(refused).toMatchObject({
    status: 409,
    body: {
      errors: [
        {
          code: "conflict",
          message: "Two readings fit the dates of this file. Answer 'dateOrder', or send acceptAssumed.",
          path: "answers.dateOrder",
        },
      ],
    },
  });
  expect(await app.call("ada", "PUT", `/imports/${open.id}/choices`, { answers: { dateOrder: "day-first" } })).toMatchObject({
    status: 202,
  });
  expect(await app.settled("ada", open.id)).toMatchObject({ status: "ready", openQuestions: [], reading: { dateOrder: "day-first" } });
  await app.call("ada", "POST", `/imports/${open.id}/dataset`, { name: "days" });
  expect(await app.settled("ada", open.id)).toMatchObject({ status: "done" });
});

it("refuses a type that most values do not have, and leads on by another choice", async () => {
  const app = shared();
  const { id } = await app.read("ada", { "people.csv": "phone,size\n+49 40,1\n+49 41,2\n12,3\n" });
  await app.call("ada", "PUT", `/imports/${id}/choices`, { columns: { phone: { type: "integer" } } });
  expect(await app.settled("ada", id)).toMatchObject({
    status: "failed",
    failure: { kind: "invalid-value", message: "2 of 3 values of 'phone' are no integers.", path: "choices.columns.phone" },
  });
  await app.call("ada", "PUT", `/imports/${id}/choices`, { columns: { phone: null, size: { leaveOut: true } } });
  const settled = await app.settled("ada", id);
  expect([settled.status, settled.sample?.columns.map(({ name }) => name)]).toEqual(["ready", ["phone"]]);
});

it("shows values that cannot be read, with their lines and texts", async () => {
  const app = shared();
  const sizes = Array.from({ length: 30 }, (_, index) => (index === 9 ? "many" : String(index)));
  const { id, sample } = await app.read("ada", { "sizes.csv": `size,name\n${sizes.map((size) => `${size},x`).join("\n")}\n` });
  expect(sample?.rows[9]).toEqual({ values: { size: null, name: "x" }, unreadable: { size: "many" } });
  const { body } = await app.call<{ rows: ImportedRow[] }>("ada", "GET", `/imports/${id}/rows?only=unreadable&column=size`);
  expect(body).toMatchObject({ total: 1, rows: [{ file: "sizes.csv", line: 11, text: "many", column: "size" }] });
});

it("pages through all values that cannot be read, column by column, of all files", async () => {
  const app = shared();
  const lines = (file: string) =>
    Array.from(
      { length: 3_000 },
      (_, index) => `${index % 15 === 7 ? `${file}${index}` : index},${index % 100 === 3 ? "soon" : "2024-01-02"}`,
    );
  const { id, reading } = await app.read("ada", {
    "a.csv": `size,day\n${lines("a").join("\n")}\n`,
    "b.csv": `size,day\n${lines("b").join("\n")}\n`,
  });
  expect(reading?.columns.map(({ name, unreadable }) => [name, unreadable.count, unreadable.first.length])).toEqual([
    ["size", 400, 5],
    ["day", 60, 5],
  ]);
  const page = async (query: string) =>
    (await app.call<{ rows: ImportedRow[]; total: number }>("ada", "GET", `/imports/${id}/rows?only=unreadable${query}`)).body;
  const pages = [await page(""), await page("&from=200"), await page("&from=400"), await page("&from=460")];
  expect(pages.map(({ rows, total }) => [rows.length, total])).toEqual([
    [200, 460],
    [200, 460],
    [60, 460],
    [0, 460],
  ]);
  const rows = pages.flatMap((one) => one.rows);
  expect(new Set(rows.map(({ file, line, column }) => `${file} ${line} ${column}`)).size).toBe(460);
  expect(rows[0]).toEqual({ file: "a.csv", line: 9, text: "a7", column: "size" });
  expect(rows[399]).toEqual({ file: "b.csv", line: 2_994, text: "b2992", column: "size" });
  expect(rows[459]).toEqual({ file: "b.csv", line: 2_905, text: "soon", column: "day" });
  expect(await page("&column=day&from=58")).toEqual({ total: 60, rows: rows.slice(458) });
  expect(await page("&column=none")).toEqual({ total: 0, rows: [] });
});

it("takes no name twice, and gives a later account of a name another address", async () => {
  const app = shared();
  const first = await app.dataset("ada", "things", "a\n1\n");
  const { id } = await app.read("ada", { "things.csv": "a\n1\n" });
  expect(await app.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" })).toMatchObject({
    status: 409,
    body: { errors: [{ code: "name-taken" }] },
  });
  expect(first.dataset?.datasetCategory).toBe("~ada");
  await app.gateway.database.pool.query("update own_categories set user_id = null");
  expect((await app.dataset("ada", "more", "a\n1\n")).dataset?.datasetCategory).toBe("~ada~2");
});

it("reads files of a fileset and what a gzip file holds, and JSON and GeoJSON like CSV", async () => {
  const app = shared();
  const copied = await start("ada", { from: { filesetId: "shared", files: ["folder/trips.csv"] } });
  expect(copied.status).toBe(201);
  expect(await app.settled("ada", copied.body.id)).toMatchObject({ status: "ready", suggestedName: "trips", reading: { rows: 1 } });
  expect((await start("ada", { from: { filesetId: "other", files: ["x"] } })).status).toBe(404);
  const packed = await app.read("ada", { "trips.csv.gz": gzipSync("name,size\na,1\nb,2\n") });
  expect(packed).toMatchObject({
    status: "ready",
    suggestedName: "trips",
    reading: { rows: 2 },
    files: [{ number: 1, file: "trips.csv.gz" }],
  });
  const lines = await app.read("ada", { "trips.jsonl": '{"name": "a", "size": 1}\n{"name": "b", "size": 2}\n' });
  expect(lines).toMatchObject({ status: "ready", reading: { rows: 2 } });
  const point = (x: number) => ({ type: "Feature", properties: { name: "a" }, geometry: { type: "Point", coordinates: [x, 50] } });
  const places = await app.read("ada", {
    "places.geojson": JSON.stringify({ type: "FeatureCollection", features: [point(9), point(10)] }),
  });
  expect(places).toMatchObject({ status: "ready", fields: { latitude: "latitude", longitude: "longitude" } });
});

it("closes files of a fileset that it only measures, copies or refuses", async () => {
  const app = shared();
  const before = app.openedContents.length;
  const copied = await start("ada", { from: { filesetId: "shared", files: ["folder/trips.csv"] } });
  expect(await app.settled("ada", copied.body.id)).toMatchObject({ status: "ready" });
  const changed = await start("ada", { from: { filesetId: "shared", files: ["folder/growing.csv"] } });
  expect(await app.settled("ada", changed.body.id)).toMatchObject({
    status: "failed",
    failure: { message: "'folder/growing.csv' has changed in its fileset meanwhile. Start the import again." },
  });
  expect(app.openedContents.slice(before).map(({ destroyed }) => destroyed)).toEqual([true, true, true, true]);
});
