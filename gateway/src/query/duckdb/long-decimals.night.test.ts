import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Operator, operator } from "@fairway/contract/columns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ComparisonCondition } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";

/** Each one is the nearest neighbor of another, and all of them are the same double as it. */
const values = [
  "0.12345678901234567891",
  "0.12345678901234567892",
  "0.1",
  "0.10000000000000000001",
  "-12345678901234567.5",
  "-12345678901234567.50000000000000000001",
];
const digitsOf = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(`${whole}${fraction.padEnd(20, "0")}`);
};
const selects: Record<Operator, (one: bigint, other: bigint) => boolean> = {
  "=": (one, other) => one === other,
  "<>": (one, other) => one !== other,
  "<": (one, other) => one < other,
  "<=": (one, other) => one <= other,
  ">": (one, other) => one > other,
  ">=": (one, other) => one >= other,
};
const rowsWith = (compared: Operator, text: string): number[] =>
  values.flatMap((value, index) => (selects[compared](digitsOf(value), digitsOf(text)) ? [index] : []));

describe.each(["parquet", "csv", "json"] as const)("a column of decimals of more than 17 digits in %s", (format) => {
  let bench: EngineBench;
  beforeAll(async () => {
    bench = await engineBench();
    const file = path.join(bench.folder, `long.${format}`);
    if (format === "csv") await writeFile(file, ["n,v", ...values.map((value, n) => `${n},${value}`), ""].join("\n"));
    else if (format === "json") await writeFile(file, values.map((value, n) => `{"n":${n},"v":${value}}\n`).join(""));
    else {
      const rows = values.map((value, n) => `(${n}, '${value}'::decimal(38, 20))`).join(", ");
      await bench.prepare(`copy (select * from (values ${rows}) t(n, v)) to 'FOLDER/long.parquet' (format parquet)`);
    }
  });
  afterAll(() => bench.close());

  async function found(condition: Pick<ComparisonCondition, "operator" | "value" | "digits">): Promise<number[]> {
    const dataset = datasetOver(`long.${format}`, { n: "integer", v: "decimal" }, { format });
    const conditions = [{ column: "v", type: "decimal", ...condition } as const];
    const query = { timeRange: null, area: null, conditions, sort: [], offset: 0, limit: 100 };
    const rows = await rowsOf(await bench.engine.search(dataset, query, engineCall()));
    return rows.map(({ n }) => Number(n)).toSorted((one, other) => one - other);
  }

  it("is filtered by every digit of a number that is sent as text", async () => {
    for (const digits of values) {
      for (const compared of operator.options) {
        expect(await found({ operator: compared, value: Number(digits), digits }), `${compared} ${digits}`).toEqual(
          rowsWith(compared, digits),
        );
      }
    }
  });

  it("is filtered by a JSON number as it is written", async () => {
    for (const text of ["0.1", "0.12345", "-12345678901234.5"]) {
      for (const compared of operator.options) {
        expect(await found({ operator: compared, value: Number(text) }), `${compared} ${text}`).toEqual(rowsWith(compared, text));
      }
    }
  });

  it("is found by the double that a reader of JSON makes of its values", async () => {
    expect(await found({ operator: "=", value: 0.12345678901234568 })).toEqual([0, 1]);
  });
});
