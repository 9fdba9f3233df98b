import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import yazl from "yazl";
import { ContainerRefused, type Unpacked, unpack } from "./unpack.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fairway-containers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
const signal = new AbortController().signal;

async function given(name: string, content: Uint8Array) {
  const file = { name, path: path.join(folder, String(++files)) };
  await writeFile(file.path, content);
  return file;
}

async function zipOf(contents: Readonly<Record<string, string | Uint8Array>>, change = (bytes: Buffer) => bytes, name = "data.zip") {
  const zip = new yazl.ZipFile();
  for (const [entry, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), entry, { compress: content.length > 10 });
  zip.end();
  const file = path.join(folder, `${++files}.zip`);
  await pipeline(zip.outputStream, createWriteStream(file));
  return given(name, change(await readFile(file)));
}

const unpacked = (file: { name: string; path: string }, options: { take?: string; maxBytes?: number } = {}) =>
  unpack(file, path.join(folder, `${++files}-unpacked`), { maxBytes: 1e9, signal, ...options });
const contentsOf = async ({ files: list }: Unpacked) =>
  Object.fromEntries(await Promise.all(list.map(async ({ name, path: file }) => [name, await readFile(file, "utf8")] as const)));
const refusal = async (unpacking: Promise<unknown>) => {
  const error: unknown = await unpacking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ContainerRefused);
  return (error as ContainerRefused).message;
};

describe("a gzip file", () => {
  it("is unpacked, with the format of what it holds", async () => {
    const found = await unpacked(await given("trips.csv.gz", gzipSync("a,b\n1,2\n")));
    expect(found.files).toMatchObject([{ name: "trips.csv", format: "csv", bytes: 8 }]);
    expect(path.extname(found.files[0]?.path ?? "")).toBe(".csv");
    expect(await contentsOf(found)).toEqual({ "trips.csv": "a,b\n1,2\n" });
    expect((await unpacked(await given("trips.json.gz", gzipSync('{"a": 1}\n{"a": 2}')))).files).toMatchObject([{ format: "json-lines" }]);
  });

  it("that ends too early is damaged", async () => {
    const whole = gzipSync("a,b\n".repeat(100));
    const message = "'trips.csv.gz' cannot be unpacked: it is damaged.";
    expect(await refusal(unpacked(await given("trips.csv.gz", whole.subarray(0, -10))))).toBe(message);
  });

  it("of an archive, or of something that is no data, is refused", async () => {
    const inner = await readFile((await zipOf({ "a.csv": "a,b\n" })).path);
    expect(await refusal(unpacked(await given("data.zip.gz", gzipSync(inner))))).toBe(
      "'data.zip.gz' holds the archive 'data.zip'; unpack it first.",
    );
    expect(await refusal(unpacked(await given("a.kml.gz", gzipSync("<kml></kml>"))))).toBe(
      "'a.kml' is a KML file; save it as GeoJSON or CSV.",
    );
  });
});

describe("a ZIP file", () => {
  it("with one file of data is that file, whatever stands beside it", async () => {
    const found = await unpacked(
      await zipOf({
        "README.txt": "about these data",
        "data/trips.csv": "a,b\n1,2\n",
        "__MACOSX/._trips.csv": "\0\0",
        "map.kml": "<kml/>",
      }),
    );
    expect(await contentsOf(found)).toEqual({ "data/trips.csv": "a,b\n1,2\n" });
    expect(found.ignored).toEqual([{ name: "map.kml", reason: "'map.kml' is a KML file; save it as GeoJSON or CSV." }]);
    expect(found.others).toEqual([]);
  });

  it("takes files of the same header together, and offers the others", async () => {
    const contents = {
      "2023.csv": "day;n\n1;2\n",
      "stops.csv": "id,name\n",
      "2024.csv": "day;n\n3;4\n5;6\n",
      "a.json": '[{"x": 1, "y": 2}]',
    };
    const found = await unpacked(await zipOf(contents));
    expect(found.files.map(({ name }) => name)).toEqual(["2023.csv", "2024.csv"]);
    expect(found.others).toEqual([
      { names: ["a.json"], format: "json", bytes: 18 },
      { names: ["stops.csv"], format: "csv", bytes: 8 },
    ]);
    expect(await contentsOf(await unpacked(await zipOf(contents), { take: "a.json" }))).toEqual({ "a.json": contents["a.json"] });
    expect(await refusal(unpacked(await zipOf(contents), { take: "b.json" }))).toBe("'data.zip' has no file 'b.json'.");
  });

  it("takes JSON files of the same keys together, in any order of them", async () => {
    const contents = { "1.json": '[{"a": 1, "b": 2}]', "2.json": '[{"b": 2, "a": 1}]', "3.json": '{"rows": [{"a": 1, "b": 2}]}' };
    const found = await unpacked(await zipOf(contents), { take: "2.json" });
    expect(found.files.map(({ name }) => name)).toEqual(["1.json", "2.json"]);
  });

  it("writes nowhere but below its folder", async () => {
    const target = path.join(folder, "inside");
    const odd = { "folder/evil name%2f.csv": "a,b\n", [`${"x".repeat(300)}.csv`]: "a,b\n" };
    const found = await unpack(await zipOf(odd), target, { maxBytes: 1e9, signal });
    expect(await readdir(target)).toEqual(["0.csv", "1.csv"]);
    expect(found.files.map(({ name }) => name)).toEqual(Object.keys(odd));
    const climbing = await zipOf({ "aa/trips.csv": "a,b\n" }, (bytes) =>
      Buffer.from(bytes.toString("latin1").replaceAll("aa/", "../"), "latin1"),
    );
    expect(await refusal(unpacked(climbing))).toBe("'data.zip' cannot be unpacked: it is damaged.");
  });

  it("that is encrypted is refused", async () => {
    const encrypted = await zipOf({ "a.csv": "a,b\n1,2\n3,4\n" }, (bytes) => {
      for (const mark of ["PK\u0003\u0004", "PK\u0001\u0002"]) {
        const at = bytes.indexOf(mark, 0, "latin1") + (mark.endsWith("\u0004") ? 6 : 8);
        bytes[at] = (bytes[at] ?? 0) | 1;
      }
      return bytes;
    });
    expect(await refusal(unpacked(encrypted))).toBe("'data.zip' is encrypted; pack it without a password.");
  });

  it("that holds an archive is refused", async () => {
    const inner = gzipSync("a,b\n");
    expect(await refusal(unpacked(await zipOf({ "a.csv": "a,b\n", "b.csv.gz": inner })))).toBe(
      "'data.zip' holds the archive 'b.csv.gz'; unpack it first.",
    );
  });

  it("with more than 10,000 files is refused", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}.csv`, "a,b\n"]));
    expect(await refusal(unpacked(await zipOf(many)))).toBe("'data.zip' holds 10,001 files; an archive may hold 10,000.");
  });

  it("that unpacks to more than 100 times its size is refused, whatever it says of it", async () => {
    const bomb = { "a.csv": "0".repeat(20_000_000) };
    const message = "'data.zip' unpacks to more than 100 times its size; bring its files unpacked.";
    expect(await refusal(unpacked(await zipOf(bomb)))).toBe(message);
    expect(await refusal(unpacked(await given("a.csv.gz", gzipSync(bomb["a.csv"]))))).toBe(
      "'a.csv.gz' unpacks to more than 100 times its size; bring its files unpacked.",
    );
    const small = await unpacked(await zipOf({ "a.csv": `a,b\n${"0,0\n".repeat(200_000)}` }));
    expect(small.files).toHaveLength(1);
  });

  it("that unpacks to more than there is room for is refused", async () => {
    const file = await zipOf({ "a.csv": "a,b\n".repeat(1_000_000) });
    expect(await refusal(unpacked(file, { maxBytes: 2_000_000 }))).toBe("'data.zip' unpacks to more than 2 MB.");
  });

  it("without data names what is wrong with its files", async () => {
    expect(await refusal(unpacked(await zipOf({ "roads.kml": "<kml/>" })))).toBe("'roads.kml' is a KML file; save it as GeoJSON or CSV.");
    expect(await refusal(unpacked(await zipOf({})))).toBe("'data.zip' holds no file of data: no CSV, .xlsx, JSON, GeoJSON or Parquet.");
  });

  it("that is damaged is refused", async () => {
    const broken = await zipOf({ "a.csv": "a,b\n".repeat(1_000) }, (bytes) => bytes.subarray(0, -5));
    expect(await refusal(unpacked(broken))).toBe("'data.zip' cannot be unpacked: it is damaged.");
  });
});

it("answers a file that is no container as it is, and refuses by name", async () => {
  const file = await given("trips.csv", Buffer.from("a,b\n1,2\n"));
  expect(await unpacked(file)).toEqual({ files: [{ ...file, bytes: 8, format: "csv" }], others: [], ignored: [] });
  expect((await stat(file.path)).size).toBe(8);
  expect(await refusal(unpacked(await given("plan.xls", Buffer.alloc(0))))).toBe(
    "'plan.xls' is an Excel 97 workbook; save it as .xlsx or CSV.",
  );
});
