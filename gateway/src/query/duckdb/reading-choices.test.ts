import type { ReadingChoices, StoredReading } from "@fairway/contract/readings";
import { expect, it } from "vitest";
import { type ReadFile, linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { csv } = readingBench();
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1_000;
const asked = ({ reading }: ReadFile) =>
  reading.questions.map(({ question, columns, taken, isAnswered }) => [question, columns, taken, isAnswered]);

/** A file whose reading is stored as a choice reads it, and as the reading that is stored then reads it. */
async function afterwards(content: string, stored: StoredReading, choices: ReadingChoices): Promise<ReadFile> {
  const chosen = await csv(content, { stored, choices });
  const again = await csv(content, { stored: chosen.stored });
  expect(again.rows).toEqual(chosen.rows);
  expect(again.stored).toEqual(chosen.stored);
  expect(again.differences).toEqual([]);
  return again;
}

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
    const comma = await afterwards(amounts, stored, choices);
    expect(valuesOf(comma, "pop")).toEqual([1_234, 12_345, 999_001]);
    expect(comma.stored).toMatchObject({
      decimalMark: ",",
      answers: { decimalMark: "," },
      columns: [{}, { type: "integer", format: "," }, {}],
    });
    expect(comma.reading.decimalMark).toBe(",");
    expect(asked(comma)).toEqual([["decimalMark", ["pop"], ",", true]]);
    const point = await afterwards(amounts, comma.stored, { answers: { decimalMark: "." } });
    expect(valuesOf(point, "pop")).toEqual([1.234, 12.345, 999.001]);
    expect(point.stored).toMatchObject({
      decimalMark: ".",
      answers: { decimalMark: "." },
      columns: [{}, { type: "decimal", format: "." }, {}],
    });
  }
});

const visits = linesOf("opened,closed,n", "01/02/2024,03/04/2024,1", "05/06/2024,07/08/2024,2");

it.each<[string, ReadingChoices]>([
  ["the question", { answers: { dateOrder: "day-first" } }],
  ["the field", { dateOrder: "day-first" }],
])("changes a stored order of dates by %s, and takes it back", async (_, choices) => {
  const first = await csv(visits);
  const changed = await afterwards(visits, first.stored, choices);
  expect(valuesOf(changed, "opened")).toEqual([day("2024-02-01"), day("2024-06-05")]);
  expect(valuesOf(changed, "closed")).toEqual([day("2024-04-03"), day("2024-08-07")]);
  expect(changed.stored).toMatchObject({ dateOrder: "day-first", answers: { dateOrder: "day-first" } });
  expect(changed.stored.columns.map(({ format, state }) => [format, state])).toEqual([
    ["D/M/Y", "sure"],
    ["D/M/Y", "sure"],
    [undefined, "sure"],
  ]);
  const back = await afterwards(visits, changed.stored, { dateOrder: "month-first" });
  expect(valuesOf(back, "opened")).toEqual([day("2024-01-02"), day("2024-05-06")]);
  expect(back.stored).toMatchObject({
    dateOrder: "month-first",
    answers: { dateOrder: "month-first" },
    columns: [{ format: "M/D/Y" }, {}, {}],
  });
});

it("leaves a column as it was chosen for itself, and asks about the others alone", async () => {
  const first = await csv(visits);
  const one = await afterwards(visits, first.stored, { columns: { closed: { type: "TIMESTAMP_SECONDS", format: "D/M/Y" } } });
  expect(asked(one)).toEqual([["dateOrder", ["opened"], "month-first", false]]);
  expect(one.reading.dateOrder).toBe("month-first");
  expect(one.columns.get("closed")).toMatchObject({ format: "D/M/Y", state: "sure" });
  // A later choice for the source does not change it.
  const other = await afterwards(visits, one.stored, { dateOrder: "month-first" });
  expect(other.stored.columns.map(({ format, chosen }) => [format, chosen])).toEqual([
    ["M/D/Y", undefined],
    ["D/M/Y", true],
    [undefined, undefined],
  ]);
  // Nor one of the same call.
  const both = await csv(visits, {
    stored: first.stored,
    choices: { dateOrder: "day-first", columns: { opened: { type: "TIMESTAMP_SECONDS", format: "M/D/Y" } } },
  });
  expect(both.stored.columns.map(({ format }) => format)).toEqual(["M/D/Y", "D/M/Y", undefined]);
  // Until it is taken back.
  const back = await afterwards(visits, other.stored, { columns: { closed: null } });
  expect(back.stored.columns[1]).toMatchObject({ format: "M/D/Y" });
  expect(back.stored.columns[1]?.chosen).toBeUndefined();
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
  const read = await afterwards(content, stored, { columns: { Kennung: { type: "integer" } } });
  expect(valuesOf(read, "Kennung")).toEqual([12, 345]);
  expect(read.stored.columns[0]).toMatchObject({ type: "integer", state: "sure", chosen: true });
});

it("keeps what is chosen of a column when only its zone is changed", async () => {
  const content = linesOf("at,n", "2024-07-01 12:00:00,1");
  const { stored } = await csv(content, { choices: { columns: { at: { type: "STRING" } } } });
  expect((await csv(content, { stored, choices: { columns: { at: { zone: "Europe/Berlin" } } } })).columns.get("at")?.type).toBe("STRING");
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

it("leaves questions open that nobody has answered", async () => {
  const content = linesOf("d,t,n", "01/02/2024,-9999,13.01.24", "03/04/2024,7,14.01.24", "03/04/2024,-9999,14.01.24");
  const first = await csv(content);
  expect(asked(first).map(([question, , , isAnswered]) => [question, isAnswered])).toEqual([
    ["dateOrder", false],
    ["twoDigitYears", false],
    ["missing:t", false],
  ]);
  expect(first.stored.answers).toBeUndefined();
  const stored = await csv(content, { stored: first.stored });
  expect(asked(stored)).toEqual(asked(first));
  expect(stored.columns.get("d")?.state).toBe("assumed");
  // To keep it as it is, is an answer, too.
  const kept = await afterwards(content, first.stored, {
    answers: { dateOrder: "month-first", "missing:t": "keep", twoDigitYears: "1970-2069" },
  });
  expect(kept.stored.answers).toEqual({ dateOrder: "month-first", "missing:t": "keep", twoDigitYears: "1970-2069" });
  expect(asked(kept).every(([, , , isAnswered]) => isAnswered)).toBe(true);
  expect(kept.reading.columns.map(({ state }) => state)).toEqual(["sure", "sure", "sure"]);
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
