import type { PreviewReading } from "@fairway/contract/readings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";

let app: FilesetsApp;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  app = await filesetsApp(
    [
      { id: "open", s3Bucket: "open" },
      { id: "secret", s3Bucket: "secret", allowedRoles: [{ roleName: "reader" }] },
    ],
    { onClose: (close) => void closers.push(close) },
  );
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const read = async (path: string): Promise<PreviewReading> =>
  (await app.request("grace", "GET", `/filesets/open/reading?file=${path}`)).json();

it("reports how a preview decodes and splits a file, as a dataset of it would be read", async () => {
  await app.put("open/latin1.csv", Buffer.from("Größe;Straße\n1,5;Königsallee\n2,5;Über\n", "latin1"));
  expect(await read("latin1.csv")).toEqual({
    encoding: "windows-1252",
    encodingState: expect.any(String),
    sentence: "The file is read as Windows-1252.",
    delimiter: ";",
    quote: '"',
    headerLine: 1,
    skipLines: 0,
  });
  await app.put("open/excel.csv", "sep=;\r\na;b\r\n1;2\r\n");
  expect(await read("excel.csv")).toMatchObject({ encoding: "utf-8", sentence: null, delimiter: ";", headerLine: 2, skipLines: 1 });
  await app.put("open/lines.ndjson", Buffer.from("\ufeff{}", "utf16le"));
  expect(await read("lines.ndjson")).toMatchObject({ encoding: "utf-16le", encodingState: "sure", delimiter: null, headerLine: null });
  await app.put("open/empty.csv", "");
  expect(await read("empty.csv")).toMatchObject({ encoding: "utf-8", delimiter: null });
});

it.each([
  ["columns of one name", "a,".repeat(131_000)],
  ["empty lines", "\r".repeat(262_000)],
  ["quotes that nothing closes", `"${"x,".repeat(127)}\n`.repeat(1_000)],
  ["columns above short rows", `${"a,".repeat(130_000)}\n${"1\n".repeat(999)}`],
])("reads the beginning of a file of %s within a moment", async (_, text) => {
  await app.put("open/hostile.csv", text);
  const before = process.cpuUsage();
  expect(await read("hostile.csv")).toMatchObject({ encoding: "utf-8" });
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

it("[FILESET-44] reveals nothing about files that the caller may not read, or that are not there", async () => {
  await app.put("secret/plan.csv", "a,b\n1,2\n");
  const secret = await app.request("grace", "GET", "/filesets/secret/reading?file=plan.csv");
  expect(secret.statusCode).toBe(404);
  expect((await app.request("ada", "GET", "/filesets/secret/reading?file=plan.csv")).statusCode).toBe(200);
  expect((await app.request(undefined, "GET", "/filesets/secret/reading?file=plan.csv")).statusCode).toBe(401);
  expect((await app.request("grace", "GET", "/filesets/open/reading?file=gone.csv")).statusCode).toBe(404);
});
