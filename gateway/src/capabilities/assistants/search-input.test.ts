import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { describe, expect, it } from "vitest";
import { columnFacts, readableRows } from "./search-input.ts";

const names = Array.from({ length: 1_000 }, (_, index) => `column ${index}`);
const columns = names.map((name): Column => ({ name, type: "integer", description: "", combined: null }));
const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => Object.fromEntries(names.map((name) => [name, row])));

describe("rows for assistants", () => {
  it("are refused where they hold more cells than an answer does, and the error explains how to get fewer", () => {
    expect(() => readableRows(rowsOf(200), { schema: { columns } })).toThrow(
      "200000 cells are more than a response can contain (20000). Ask for fewer rows, or name fewer columns.",
    );
  });

  it("have times in ISO 8601, and whole days without a clock", () => {
    const day: Column = { name: "d", type: "TIMESTAMP_SECONDS", description: "", combined: null, day: true };
    const time: Column = { ...day, name: "at", day: false };
    expect(readableRows([{ d: 1_704_067_200, at: 1_704_067_200 }], { schema: { columns: [day, time] } })).toEqual([
      { d: "2024-01-01", at: "2024-01-01T00:00:00.000Z" },
    ]);
    expect(columnFacts({ schema: { columns: [day, time] } } as DatasetDescription).map(({ type }) => type)).toEqual(["day", "time"]);
  });

  it("of many columns are answered where few are named, or few rows asked for", () => {
    expect(readableRows(rowsOf(200), { schema: { columns } }, ["column 7"])[199]).toEqual({ "column 7": 199 });
    expect(Object.keys(readableRows(rowsOf(20), { schema: { columns } })[0] ?? {})).toHaveLength(1_000);
  });
});
