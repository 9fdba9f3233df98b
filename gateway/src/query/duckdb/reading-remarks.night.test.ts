import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { linesOf, readingBench } from "./reading-bench.ts";

const { bench } = readingBench();

// Beyond 200 files, as beyond 64 MB, nobody looks at every line, unless all of it is checked.
describe("large sources", () => {
  it("counts the lines of CSV that are in no row when it checks all of it", async () => {
    const { folder, engine } = bench();
    await mkdir(path.join(folder, "large"));
    for (let file = 0; file <= 200; file += 1)
      await writeFile(path.join(folder, "large", `${String(file).padStart(3, "0")}.csv`), "a,b\n1,2\n");
    // Beyond the lines that show how a file is written.
    const many = Array.from({ length: 1_100 }, (_, index) => `${index},x`);
    await writeFile(path.join(folder, "large", "200.csv"), linesOf("a,b", ...many, "", "3,4,5", "only", '"x', "", 'y",6', "   ", "7,8"));
    const source = { kind: "files", glob: "large/*.csv", format: "csv" } as const;
    const first = await engine.reading(source, engineCall());
    expect(first?.reading.sentences).toContain(
      "Lines that do not fit the columns are left out. The source is too large to count them here: a schema update does.",
    );
    expect(first?.reading.checkedRows).toBe(1_302);
    const whole = await engine.reading({ ...source, checksAll: true }, engineCall());
    expect(whole?.differences).toEqual(["2 lines do not fit the columns and are left out."]);
    expect(whole?.reading).toMatchObject({ rows: 1_302, checkedRows: null });
    expect(whole?.reading.sentences).toContain("2 lines do not fit the columns and are left out.");
  });

  it("counts the lines of JSON that are empty rows when it checks all of it", async () => {
    const { folder, engine } = bench();
    await mkdir(path.join(folder, "lines"));
    for (let file = 0; file <= 200; file += 1) await writeFile(path.join(folder, "lines", `${file}.json`), '{"a":1,"b":"x"}\n{"a":2}\n');
    await writeFile(path.join(folder, "lines", "7.json"), '{"a":1}\n{"a":2}\n{broken\n');
    const source = { kind: "files", glob: "lines/*.json", format: "json", checksAll: true } as const;
    expect((await engine.reading(source, engineCall()))?.differences).toEqual([
      "1 line is no object or has no values: it is an empty row.",
    ]);
  });
});
