import { type ColumnType, type Operator, operator as operators } from "@fairway/contract/columns";
import type { SearchAnswer } from "@fairway/contract/search";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDataset } from "#testing/dataset-app.ts";
import {
  int64Max,
  type Cell,
  integers,
  decimals,
  texts,
  moments,
  columns,
  rows,
  opened,
  search,
  idsOf,
  openRandomRows,
} from "#testing/random-rows.ts";

const runs = 60;

/** A comparable value; times are in microseconds, truncated to the column's unit. */
type Ordered = string | number | bigint | boolean;
const unitMicros: Partial<Record<ColumnType, bigint>> = { TIMESTAMP_MILLS: 1_000n, TIMESTAMP_SECONDS: 1_000_000n };
const floorTo = (value: bigint, unit: bigint) => value - (((value % unit) + unit) % unit);

function compare(left: Ordered, right: Ordered): number {
  // By code point, as UTF-8 sorts; JavaScript compares UTF-16 code units.
  if (typeof left === "string") return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  return left < right ? -1 : left > right ? 1 : 0;
}

const matches: Record<Operator, (order: number) => boolean> = {
  "=": (order) => order === 0,
  "<>": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

interface Filter {
  readonly name: string;
  readonly operator: Operator;
  /** The value in the request. */
  readonly sent: string | number | boolean;
  readonly value: Ordered;
}

function satisfies({ name, operator, value }: Filter, row: Record<string, Cell>): boolean {
  const cell = row[name]?.value ?? null;
  if (cell === null) return operator === "<>";
  const unit = unitMicros[columns[name]?.type ?? "STRING"];
  return matches[operator](compare(unit === undefined ? cell : floorTo(cell as bigint, unit), value));
}

const operator = fc.constantFrom(...operators.options);
const equality = fc.constantFrom<Operator[]>("=", "<>");
const valueOf = (cells: readonly Cell[]) => fc.constantFrom(...cells.flatMap(({ value }) => (value === null ? [] : [value])));
const wholeFilter = fc
  .tuple(operator, fc.oneof(valueOf(integers) as fc.Arbitrary<bigint>, fc.bigInt(-int64Max - 1n, int64Max)))
  .map(([op, value]): Filter => ({
    name: "whole",
    operator: op,
    sent: Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
    value,
  }));
const realFilter = fc
  .tuple(operator, fc.oneof(valueOf(decimals) as fc.Arbitrary<number>, fc.double({ noNaN: true, noDefaultInfinity: true })), fc.boolean())
  .map(([op, value, asText]): Filter => ({ name: "real", operator: op, sent: asText ? String(value) : value, value }));
const textFilter = fc
  .tuple(operator, fc.oneof(valueOf(texts) as fc.Arbitrary<string>, fc.string({ unit: "binary", maxLength: 4 })))
  .map(([op, value]): Filter => ({ name: "text", operator: op, sent: value, value }));
const flagFilter = fc
  .tuple(equality, fc.boolean(), fc.boolean())
  .map(([op, value, asText]): Filter => ({ name: "flag", operator: op, sent: asText ? String(value) : value, value }));
const anyMoment = fc.integer({ min: Date.parse("0001-01-01T00:00:00Z"), max: Date.parse("9999-12-31T23:59:59.999Z") });
const timeFilter = fc
  .tuple(
    fc.constantFrom("at", "second"),
    operator,
    fc.oneof(fc.constantFrom(...moments.map((micros) => Number(floorTo(micros, 1_000n) / 1_000n))), anyMoment),
    fc.boolean(),
  )
  .map(([name, op, epochMs, asIso]): Filter => {
    const seconds = name === "second";
    const asNumber = seconds ? Math.floor(epochMs / 1_000) : epochMs;
    const sentMs = asIso ? epochMs : asNumber * (seconds ? 1_000 : 1);
    return { name, operator: op, sent: asIso ? new Date(epochMs).toISOString() : asNumber, value: BigInt(sentMs) * 1_000n };
  });
const filter = fc.oneof(wholeFilter, realFilter, textFilter, flagFilter, timeFilter);

beforeAll(openRandomRows);

afterAll(() => opened.app.close());

describe("filters at the limits of their types", () => {
  it("[SEARCH-60] find exactly the rows that a reference implementation of the six operators finds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(filter, { minLength: 1, maxLength: 3 }), async (filters) => {
        const response = await search({
          paging: { offset: 0, max: 1_000 },
          filters: filters.map(({ name, operator: op, sent }) => ({ name, operator: op, value: sent })),
        });
        expect([response.status, response.text]).toEqual([200, response.text]);
        expect(idsOf(response.body)).toEqual([...rows.keys()].filter((id) => filters.every((one) => satisfies(one, rows[id] ?? {}))));
      }),
      { numRuns: runs },
    );
  });

  it("[SEARCH-60] include both ends of a time range, to the millisecond", async () => {
    const end = fc.oneof(fc.constantFrom(...moments.map((micros) => Number(floorTo(micros, 1_000n) / 1_000n))), anyMoment);
    await fc.assert(
      fc.asyncProperty(end, end, async (one, other) => {
        const [startMs, endMs] = [Math.min(one, other), Math.max(one, other)];
        const timeRange = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
        const response = await search({ paging: { offset: 0, max: 1_000 }, timeRange, filters: [] });
        expect([response.status, response.text]).toEqual([200, response.text]);
        const within = (micros: bigint) => {
          const shownMs = Number(floorTo(micros, 1_000n) / 1_000n);
          return startMs <= shownMs && shownMs <= endMs;
        };
        const expected = [...rows.keys()].filter((id) => {
          const cell = rows[id]?.["at"]?.value ?? null;
          return cell !== null && within(cell as bigint);
        });
        expect(idsOf(response.body)).toEqual(expected);
      }),
      { numRuns: runs / 2 },
    );
  });
});

describe("pages", () => {
  it("neither repeat nor skip rows while rows are appended", async () => {
    const file = (name: string, from: number, to: number) =>
      opened.app.bench.prepare(
        `copy (select i as id from range(${from}, ${to}) t(i)) to 'FOLDER/growing-${name}.parquet' (format parquet)`,
      );
    await file("a", 0, 50);
    await addDataset(opened.app, {
      id: "growing",
      source: { kind: "files", glob: "growing-*.parquet", format: "parquet" },
      orderBy: [{ column: "id", direction: "asc" }],
    });
    const found: number[] = [];
    for (let page = 0; page < 9; page++) {
      const body = { paging: { offset: page * 10, max: 10 }, filters: [] };
      found.push(...idsOf((await opened.app.call<SearchAnswer>([], "POST", "/datasets/Tests/growing/search", body)).body));
      if (page % 2 === 0) await file(`b${page}`, 50 + page * 5, 60 + page * 5);
    }
    expect(found).toEqual(Array.from({ length: 90 }, (_, id) => id));
  });
});
