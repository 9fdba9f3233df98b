import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { operator, satisfies } from "@fairway/contract/columns";
import type { Suggestions } from "@fairway/contract/column-values";
import type { SearchAnswer, SearchFilter } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildFilter, buildFilterSupport, datasetApp, buildColumn } from "#testing/dataset-app.ts";

/** Each file has the columns `row` and `value`, as files of the format store them. */
const stored = {
  // The values of hashes.parquet, which its readers could not search for.
  unsigned: [5n, 9223372036854775808n, 17293822569102704640n, 17293822569102704641n, 0n],
  signed: [5n, -9223372036854775808n, 9223372036854775807n, 9007199254740993n, -1n],
  digits: [5n, 99999999999999999999999999999999999999n, -99999999999999999999999999999999999999n, 0n, 1n],
  text: [5n, 99999999999999999999999999999999999998n, -99999999999999999999999999999999999999n, 18446744073709551616n, 0n],
} as const;
const types = { unsigned: "ubigint", signed: "bigint", digits: "decimal(38, 0)" };
const datasets = Object.entries(stored) as [keyof typeof stored, readonly bigint[]][];

let app: DatasetApp;
beforeAll(async () => {
  app = await datasetApp();
  for (const [name, type] of Object.entries(types)) {
    const rows = stored[name as keyof typeof types].map((value, row) => `(${row}, (${value})::${type})`);
    await app.bench.prepare(`copy (select * from (values ${rows.join(", ")}) t(row, value)) to 'FOLDER/${name}.parquet' (format parquet)`);
  }
  await writeFile(join(app.bench.folder, "text.csv"), ["row,value", ...stored.text.map((value, row) => `${row},${value}`)].join("\n"));
  const rows = `(0, 0.12345678901234567891::decimal(38, 20)), (1, 0.12345678901234567892::decimal(38, 20)), (2, 123456789012345678.5::decimal(38, 20))`;
  await app.bench.prepare(`copy (select * from (values ${rows}) t(row, value)) to 'FOLDER/fractions.parquet' (format parquet)`);
  for (const name of [...Object.keys(stored), "fractions"]) {
    const [format, valueType] = [name === "text" ? "csv" : "parquet", name === "fractions" ? "decimal" : "integer"] as const;
    const columns = [buildColumn("row", "integer"), buildColumn("value", valueType)];
    await addDataset(app, { id: name, source: { kind: "files", glob: `${name}.${format}`, format }, schema: { columns } });
  }
});
afterAll(() => app.close());

const search = (id: string, ...filters: SearchFilter[]) =>
  app.call<SearchAnswer & { errors?: readonly { code: string; message: string }[] }>([], "POST", `/datasets/Tests/${id}/search`, {
    filters,
    paging: { offset: 0, max: 100 },
  });
const rowsWhere = async (id: string, ...filters: SearchFilter[]) =>
  (await search(id, ...filters)).body.results.map((row) => Number(row["row"])).toSorted((one, other) => one - other);

describe.each(datasets)("a filter of %s integers", (id, values) => {
  it("distinguishes every value from its neighbors and from what the column cannot hold", async () => {
    const [least, most] = [-(2n ** 127n), 2n ** 128n - 1n];
    const compared = [...values.flatMap((value) => [value, value + 1n]), least, most, 2n ** 63n, 2n ** 64n, -(2n ** 63n) - 1n];
    for (const value of new Set(compared)) {
      await Promise.all(
        operator.options.map(async (sign) => {
          const expected = values.flatMap((one, row) => (satisfies(sign, one < value ? -1 : one > value ? 1 : 0) ? [row] : []));
          expect(await rowsWhere(id, { name: "value", operator: sign, value: String(value) }), `${sign} ${value}`).toEqual(expected);
        }),
      );
    }
  });

  it("finds the rows of every value as it is answered and suggested", async () => {
    const { body } = await search(id);
    expect(body.results.map((row) => BigInt(row["value"] as string | number))).toEqual(values);
    for (const row of body.results) {
      expect(await rowsWhere(id, { name: "value", operator: "=", value: row["value"] ?? null })).toEqual([row["row"]]);
    }
    const suggested = await app.call<Suggestions>([], "POST", `/datasets/Tests/${id}/columns/value/suggest`, { contains: "" });
    expect(new Set(suggested.body.values.map(({ value }) => BigInt(value as string | number)))).toEqual(new Set(values));
  });
});

it("a filter of decimals compares all digits that are sent as text", async () => {
  const value = "0.12345678901234567891";
  expect(await rowsWhere("fractions", { name: "value", operator: "=", value })).toEqual([0]);
  expect(await rowsWhere("fractions", { name: "value", operator: ">", value })).toEqual([1, 2]);
  expect(await rowsWhere("fractions", { name: "value", operator: "=", value: "123456789012345678.5" })).toEqual([2]);
});

it("a dataset's own filter takes the whole range of its column", async () => {
  const own = buildFilter("value", { type: "integer", operator: ">=", value: "17293822569102704640", preFilled: true });
  await addDataset(app, {
    id: "own",
    source: { kind: "files", glob: "unsigned.parquet", format: "parquet" },
    schema: { columns: [buildColumn("row", "integer"), buildColumn("value", "integer")] },
    filterSupport: buildFilterSupport({ preFilledFilters: [own] }),
  });
  expect(await rowsWhere("own")).toEqual([2, 3]);
});

it("a number that JSON has rounded, and one that no column holds, are refused with the reason", async () => {
  for (const [value, reason] of [
    [17293822569102704640, "is beyond 2^53 and has to be sent as a text"],
    [String(2n ** 128n), "is beyond 128 bits"],
  ] as const) {
    const { status, body } = await search("unsigned", { name: "value", operator: "=", value });
    expect([status, body.errors?.[0]?.code, body.errors?.[0]?.message]).toEqual([400, "invalid-value", expect.stringContaining(reason)]);
  }
});
