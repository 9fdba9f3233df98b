import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFileStream } from "./write-file.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fairway-write-file-"));
});

afterEach(() => rm(folder, { recursive: true }));

it("writes a file", async () => {
  const file = path.join(folder, "a.txt");
  await writeFileStream(file, { flags: "wx" }, (output) => pipeline(Readable.from(["one", "two"]), output));
  expect(await readFile(file, "utf8")).toBe("onetwo");
});

it("fails once the file is there, so that nobody finds it after it was removed", async () => {
  const file = path.join(folder, "a.txt");
  await expect(writeFileStream(file, { flags: "wx" }, () => Promise.reject(new Error("at once")))).rejects.toThrow("at once");
  expect(existsSync(file)).toBe(true);
});

it("fails if the file cannot be opened", async () => {
  const file = path.join(folder, "missing", "a.txt");
  await expect(writeFileStream(file, {}, (output) => pipeline(Readable.from(["one"]), output))).rejects.toMatchObject({ code: "ENOENT" });
});
