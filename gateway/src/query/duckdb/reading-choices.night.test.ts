import type { ReadingChoices } from "@fairway/contract/readings";
import { expect, it } from "vitest";
import { linesOf, readingBench, valuesOf } from "./reading-bench.ts";
import { day, asked, afterwards } from "#testing/reading-choices.ts";

const { csv } = readingBench();

const visits = linesOf("opened,closed,n", "01/02/2024,03/04/2024,1", "05/06/2024,07/08/2024,2");

it.each<[string, ReadingChoices]>([
  ["the question", { answers: { dateOrder: "day-first" } }],
  ["the field", { dateOrder: "day-first" }],
])("changes a stored order of dates by %s, and takes it back", async (_, choices) => {
  const first = await csv(visits);
  const changed = await afterwards(csv, visits, first.stored, choices);
  expect(valuesOf(changed, "opened")).toEqual([day("2024-02-01"), day("2024-06-05")]);
  expect(valuesOf(changed, "closed")).toEqual([day("2024-04-03"), day("2024-08-07")]);
  expect(changed.stored).toMatchObject({ dateOrder: "day-first", answers: { dateOrder: "day-first" } });
  expect(changed.stored.columns.map(({ format, state }) => [format, state])).toEqual([
    ["D/M/Y", "sure"],
    ["D/M/Y", "sure"],
    [undefined, "sure"],
  ]);
  const back = await afterwards(csv, visits, changed.stored, { dateOrder: "month-first" });
  expect(valuesOf(back, "opened")).toEqual([day("2024-01-02"), day("2024-05-06")]);
  expect(back.stored).toMatchObject({
    dateOrder: "month-first",
    answers: { dateOrder: "month-first" },
    columns: [{ format: "M/D/Y" }, {}, {}],
  });
});

it("leaves a column as it was chosen for itself, and asks about the others alone", async () => {
  const first = await csv(visits);
  const one = await afterwards(csv, visits, first.stored, { columns: { closed: { type: "TIMESTAMP_SECONDS", format: "D/M/Y" } } });
  expect(asked(one)).toEqual([["dateOrder", ["opened"], "month-first", false]]);
  expect(one.reading.dateOrder).toBe("month-first");
  expect(one.columns.get("closed")).toMatchObject({ format: "D/M/Y", state: "sure" });
  // A later choice for the source does not change it.
  const other = await afterwards(csv, visits, one.stored, { dateOrder: "month-first" });
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
  const back = await afterwards(csv, visits, other.stored, { columns: { closed: null } });
  expect(back.stored.columns[1]).toMatchObject({ format: "M/D/Y" });
  expect(back.stored.columns[1]?.chosen).toBeUndefined();
});

it("keeps what is chosen of a column when only its zone is changed", async () => {
  const content = linesOf("at,n", "2024-07-01 12:00:00,1");
  const { stored } = await csv(content, { choices: { columns: { at: { type: "STRING" } } } });
  expect((await csv(content, { stored, choices: { columns: { at: { zone: "Europe/Berlin" } } } })).columns.get("at")?.type).toBe("STRING");
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
  const kept = await afterwards(csv, content, first.stored, {
    answers: { dateOrder: "month-first", "missing:t": "keep", twoDigitYears: "1970-2069" },
  });
  expect(kept.stored.answers).toEqual({ dateOrder: "month-first", "missing:t": "keep", twoDigitYears: "1970-2069" });
  expect(asked(kept).every(([, , , isAnswered]) => isAnswered)).toBe(true);
  expect(kept.reading.columns.map(({ state }) => state)).toEqual(["sure", "sure", "sure"]);
});
