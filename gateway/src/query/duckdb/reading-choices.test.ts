import type { ReadingChoices } from "@fairway/contract/readings";
import { expect, it } from "vitest";
import { linesOf, readingBench, valuesOf } from "./reading-bench.ts";
import { day, asked, afterwards } from "#testing/reading-choices.ts";

const { csv } = readingBench();

const amounts = linesOf("name;pop;w", "A;1.234;1", "B;12.345;2", "C;999.001;3");

it.each<[string, ReadingChoices]>([
  ["the question", { answers: { decimalMark: "," } }],
  ["the field", { decimalMark: "," }],
  ["both", { decimalMark: ",", answers: { decimalMark: "," } }],
])("changes a stored decimal mark by %s, and takes it back", async (_, choices) => {
  const first = await csv(amounts);
  expect(valuesOf(first, "pop")).toEqual([1.234, 12.345, 999.001]);
  expect(asked(first)).toEqual([["decimalMark", ["pop"], ".", false]]);
  for (const stored of [first.stored, (await csv(amounts, { choices: { answers: { decimalMark: "." } } })).stored]) {
    const comma = await afterwards(csv, amounts, stored, choices);
    expect(valuesOf(comma, "pop")).toEqual([1_234, 12_345, 999_001]);
    expect(comma.stored).toMatchObject({
      decimalMark: ",",
      answers: { decimalMark: "," },
      columns: [{}, { type: "integer", format: "," }, {}],
    });
    expect(comma.reading.decimalMark).toBe(",");
    expect(asked(comma)).toEqual([["decimalMark", ["pop"], ",", true]]);
    const point = await afterwards(csv, amounts, comma.stored, { answers: { decimalMark: "." } });
    expect(valuesOf(point, "pop")).toEqual([1.234, 12.345, 999.001]);
    expect(point.stored).toMatchObject({
      decimalMark: ".",
      answers: { decimalMark: "." },
      columns: [{}, { type: "decimal", format: "." }, {}],
    });
  }
});

it("keeps the order that values prove, and says so when another one is chosen", async () => {
  const content = linesOf("proven,open", "13/02/2024,01.02.2024", "14/02/2024,03.04.2024");
  const { stored } = await csv(content);
  const read = await csv(content, { stored, choices: { dateOrder: "month-first" } });
  expect(read.stored.columns.map(({ format }) => format)).toEqual(["D/M/Y", "M.D.Y"]);
  expect(read.reading.sentences).toContain("Values of 'proven' show that the day stands first, as in 31/01/2024.");
  expect(read.reading.dateOrder).toBe("month-first");
});

it("does not complain about what a person chose", async () => {
  const content = linesOf("Kennung,n", "0012,1", "0345,2");
  const { stored } = await csv(content);
  const read = await afterwards(csv, content, stored, { columns: { Kennung: { type: "integer" } } });
  expect(valuesOf(read, "Kennung")).toEqual([12, 345]);
  expect(read.stored.columns[0]).toMatchObject({ type: "integer", state: "sure", chosen: true });
});

it("keeps days the same day in every zone", async () => {
  const content = linesOf("id,day,measured", "1,01/02/2025,01/02/2025 08:15");
  for (const choices of [
    { dateOrder: "day-first", zone: "Europe/Berlin" },
    { dateOrder: "day-first", columns: { day: { zone: "Europe/Berlin" }, measured: { zone: "Europe/Berlin" } } },
  ] satisfies ReadingChoices[]) {
    const read = await csv(content, { choices });
    expect(read.rows).toEqual([{ id: 1, day: day("2025-02-01"), measured: Date.parse("2025-02-01T07:15Z") }]);
    expect(read.columns.get("day")).toMatchObject({ day: true, zone: null });
  }
});

it("reads the other times of a column if one does not exist in its zone, and says why", async () => {
  const content = linesOf("t,n", "2024-03-31 02:30:00,1", "2024-03-31 03:30:00,2");
  const read = await csv(content, { choices: { zone: "Europe/Berlin" } });
  expect(valuesOf(read, "t")).toEqual([null, Date.parse("2024-03-31T01:30:00Z")]);
  expect(read.columns.get("t")).toMatchObject({
    type: "TIMESTAMP_MILLS",
    zone: "Europe/Berlin",
    state: "mixed",
    unreadable: { count: 1, first: [{ line: 2, text: "2024-03-31 02:30:00", reason: "clocks in Europe/Berlin skip this time" }] },
  });
});
