import { type Operator, operator, satisfies } from "@fairway/contract/columns";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "#query/duckdb/test-files.ts";
import type { ComparisonCondition } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { decimalText, exactBound } from "./exact-numbers.ts";
import type { Storage } from "./table.ts";

type Exact = Extract<Storage, { kind: "integer" | "exact-decimal" }>;

const matches = (sign: Operator, one: bigint, other: bigint): boolean => satisfies(sign, one < other ? -1 : one > other ? 1 : 0);

/** Fraction digits of the compared values: more than any column stores. */
const fractionDigits = 60;

const storages: Exact[] = [
  { kind: "exact-decimal", narrow: false, digits: 38, scale: 20 },
  { kind: "exact-decimal", narrow: true, digits: 12, scale: 2 },
  { kind: "integer", narrow: false, digits: 38 },
  { kind: "integer", narrow: false },
  { kind: "integer", narrow: false, width: "int128" },
];
const scaleOf = (storage: Exact) => (storage.kind === "integer" ? 0 : storage.scale);

/** A stored number in units of its last digit, and a number near it in units of 10^-60, with each operator. */
const cases = fc.record({
  storage: fc.constantFrom(...storages),
  stored: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  distance: fc.oneof(fc.constant(0n), fc.bigInt({ min: -2n, max: 2n }), fc.bigInt({ min: -(10n ** 100n), max: 10n ** 100n })),
  compared: fc.constantFrom(...operator.options),
});

it("a bound selects exactly the numbers that the comparison selects", () => {
  fc.assert(
    fc.property(cases, ({ storage, stored: any, distance, compared }) => {
      const stored = any % 10n ** BigInt(storage.digits ?? 19);
      const scaledStored = stored * 10n ** BigInt(fractionDigits - scaleOf(storage));
      const value = scaledStored + distance;
      const bound = exactBound(storage, compared, decimalText(value, fractionDigits));
      const isSelected = typeof bound === "string" ? bound !== "nothing" : matches(bound.operator, stored, bound.scaled);
      expect(isSelected).toBe(matches(compared, scaledStored, value));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ["1e3", 100_000n],
  ["1e+3", 100_000n],
  [".5", 50n],
  ["5.", 500n],
  ["-0", 0n],
  ["+1.230", 123n],
  ["12.3e-1", 123n],
])("parses %s exactly", (text, scaled) => {
  expect(exactBound({ kind: "exact-decimal", narrow: true, digits: 12, scale: 2 }, "=", text)).toEqual({ operator: "=", scaled });
});

describe("filtering stored numbers", () => {
  let bench: EngineBench;
  const stored = ["0.12345678901234567891", "0.12345678901234567892", "-0.12345678901234567891", "9007199254740993.5", "1", null];
  const whole = ["9007199254740993", "9007199254740992", "99999999999999999999999999999999999999", "-1", "0", null];
  const storedNumbers = (column: string) => (column === "fraction" ? stored : whole);

  beforeAll(async () => {
    bench = await engineBench();
    const rows = stored.map((text, index) => `(${index}, ${text ?? "null"}::decimal(38, 20), ${whole[index] ?? "null"}::decimal(38, 0))`);
    await bench.prepare(
      `copy (select * from (values ${rows.join(", ")}) as t(n, fraction, whole)) to 'FOLDER/exact.parquet' (format parquet)`,
    );
  });
  afterAll(() => bench.close());

  const dataset = datasetOver("exact.parquet", { n: "integer", fraction: "decimal", whole: "decimal" });
  async function matchingRows(condition: Omit<ComparisonCondition, "type" | "value"> & { value?: number }): Promise<number[]> {
    const query = { timeRange: null, area: null, sort: [], offset: 0, limit: 100 };
    const conditions: ComparisonCondition[] = [{ type: "decimal", value: Number(condition.digits), ...condition }];
    const rows = await rowsOf(await bench.engine.search(dataset, { ...query, conditions }, engineCall()));
    return rows.map(({ n }) => Number(n)).toSorted((one, other) => one - other);
  }

  it.each(["fraction", "whole"])("distinguishes every stored %s from its neighbors", async (column) => {
    const scaled = (text: string) => {
      const [one = "", fraction = ""] = text.replace("-", "").split(".");
      return BigInt(one + fraction.padEnd(20, "0")) * (text.startsWith("-") ? -1n : 1n);
    };
    for (const digits of storedNumbers(column)) {
      if (digits === null) continue;
      for (const compared of operator.options) {
        const expected = storedNumbers(column).flatMap((text, index) => {
          if (text === null) return compared === "<>" ? [index] : [];
          return matches(compared, scaled(text), scaled(digits)) ? [index] : [];
        });
        expect(await matchingRows({ column, operator: compared, digits }), `${compared} ${digits}`).toEqual(expected);
      }
    }
  });

  it("matches all rows with a value, or none, for a number outside the column's range", async () => {
    const digits = "1e300";
    expect(await matchingRows({ column: "whole", operator: "<", digits })).toEqual([0, 1, 2, 3, 4]);
    expect(await matchingRows({ column: "fraction", operator: ">=", digits })).toEqual([]);
    expect(await matchingRows({ column: "fraction", operator: "<>", digits })).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("finds the rows that are shown as the given JSON number", async () => {
    expect(await matchingRows({ column: "fraction", operator: "=", value: 0.12345678901234568 })).toEqual([0, 1]);
    expect(await matchingRows({ column: "whole", operator: "=", value: 9007199254740992 })).toEqual([1]);
  });
});
