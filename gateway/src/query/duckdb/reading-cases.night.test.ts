import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { bench, csv } = readingBench();
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1_000;

describe("files from public reports", () => {
  it("reports which order it takes if nothing proves one, and takes the one that is chosen", async () => {
    const content = linesOf("visit,who", "01/02/2024,a", "04/03/2024,b");
    const read = await csv(content);
    expect(valuesOf(read, "visit")).toEqual(["2024-01-02", "2024-04-03"].map(day));
    expect(read.columns.get("visit")).toMatchObject({ state: "assumed", format: "M/D/Y" });
    expect(read.reading.questions).toMatchObject([
      {
        question: "dateOrder",
        columns: ["visit"],
        taken: "month-first",
        options: [
          {
            option: "day-first",
            examples: [
              { text: "01/02/2024", becomes: "2024-02-01" },
              { text: "04/03/2024", becomes: "2024-03-04" },
            ],
          },
          {
            option: "month-first",
            examples: [
              { text: "01/02/2024", becomes: "2024-01-02" },
              { text: "04/03/2024", becomes: "2024-04-03" },
            ],
          },
        ],
      },
    ]);
    for (const choices of [
      { dateOrder: "day-first" as const },
      { answers: { dateOrder: "day-first" } },
      { columns: { visit: { type: "TIMESTAMP_SECONDS" as const, format: "D/M/Y" } } },
    ]) {
      const chosen = await csv(content, { choices });
      expect(valuesOf(chosen, "visit")).toEqual(["2024-02-01", "2024-03-04"].map(day));
      // The choice is stored, and applies without being repeated.
      expect(valuesOf(await csv(content, { stored: chosen.stored }), "visit")).toEqual(["2024-02-01", "2024-03-04"].map(day));
    }
    expect(valuesOf(await csv(content, { hints: { dateOrder: "day-first" } }), "visit")).toEqual(["2024-02-01", "2024-03-04"].map(day));
  });
});

// Beyond 200 files, as beyond 64 MB, nobody looks at every line.
it.each([
  ["csv", "a,b\n1,2\n", "Lines that do not fit the columns are left out."],
  ["json", '{"a":1}\n{"a":2}\n', "Lines that are not objects become empty rows."],
] as const)("does not claim that every line of a large source in %s was read", async (format, content, sentence) => {
  const { folder, engine } = bench();
  await mkdir(path.join(folder, `many-${format}`));
  for (let file = 0; file <= 200; file += 1) await writeFile(path.join(folder, `many-${format}`, `${file}.${format}`), content);
  const source = { kind: "files", glob: `many-${format}/*.${format}`, format } as const;
  const found = await engine.reading(source, engineCall());
  expect(found?.reading.sentences).toContainEqual(expect.stringContaining(sentence));
});
