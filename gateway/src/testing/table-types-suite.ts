import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Column, type ColumnType, type Operator, operatorsOf, satisfies } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import type { Aggregation, AggregationGroup, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type TableBench, tableBench } from "#query/presto/testing/table-bench.ts";
import { shownRows } from "#testing/arrow-table.ts";
import { engineCall } from "#testing/engine-call.ts";
import { conditionOn } from "#testing/sql-engine-suite.ts";
import { type TypeCase, type TypeValue, tableTypes } from "./table-types.ts";

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100 };
/** In ascending order of their values; the last one has none in any column. */
const rows = [0, 1, 2, 3];
/** The sum of some identifies them. */
const idOf = (row: number): number => 2 ** row;

/** Columns described as the engine proposes, and as text. */
const views = {
  proposed: { typeOf: ({ proposed }: TypeCase) => proposed, shownOf: ({ shown }: TypeValue) => shown },
  text: { typeOf: (): ColumnType => "STRING", shownOf: ({ text }: TypeValue): CellValue => text },
} as const;

/** Every type of a server: as it is shown, filtered, sorted, aggregated and exported. */
export function describeTableTypes(name: string, url: string, times: { readonly precise: boolean }): void {
  const types = tableTypes(times);

  describe(`the types of ${name}`, { timeout: 300_000 }, () => {
    let bench: TableBench;
    let dataset: QueryableDataset;
    beforeAll(async () => {
      bench = await tableBench(url);
      // In no order.
      const selects = [2, 3, 0, 1].map((row) => {
        const cells = types.map(({ column, type, values }) => `cast(${values[row]?.stored ?? "null"} as ${type}) as ${column}`);
        return `select ${idOf(row)} as id, ${cells.join(", ")}`;
      });
      dataset = { ...datasetOver("", {}), source: await bench.store("types", selects.join(" union all ")) };
    }, 180_000);
    afterAll(() => bench.close());

    it("are proposed as types of the product", async () => {
      const columns = await bench.engine.columns(dataset.source, engineCall());
      expect(columns.slice(1).map((column) => [column.name, column.type])).toEqual(types.map(({ column, proposed }) => [column, proposed]));
    });

    describe.each(Object.entries(views))("described as %s", (view, { typeOf, shownOf }) => {
      const shownTypes = types.filter((one) => view === "proposed" || one.proposed !== "STRING");
      const columns = shownTypes.map((one) => ({ name: one.column, type: typeOf(one), values: one.values.map(shownOf) }));
      const described = (): QueryableDataset => ({
        ...dataset,
        id: view,
        columns: [{ name: "id", type: "integer" }, ...columns.map(({ name: column, type }) => ({ name: column, type }))],
        orderBy: [{ column: "id", direction: "asc" }],
      });
      const shownRow = (row: number) =>
        Object.fromEntries([["id", idOf(row)], ...columns.map((one) => [one.name, one.values[row] ?? null])]);

      it("show their values", async () => {
        expect(await rowsOf(await bench.engine.search(described(), all, engineCall()))).toEqual(rows.map(shownRow));
      });

      it("are compared as they are shown", async () => {
        const conditions = columns.flatMap((column) =>
          column.values.flatMap((shown) =>
            shown === null ? [] : operatorsOf(column.type).map((operator) => ({ column, shown, operator })),
          ),
        );
        const groups = conditions.map(({ column, operator, shown }): AggregationGroup => {
          return { timeRange: null, conditions: [conditionOn(column.name, column.type, operator, shown)] };
        });
        const found = await bench.engine.aggregate(described(), [{ type: "sum", column: "id" }], groups, all, engineCall());
        const results = conditions.map(({ column, operator, shown }, at) => [column.name, operator, shown, ...(found[at] ?? [])]);
        const expected = conditions.map(({ column: { name: column, type, values }, operator, shown }) => {
          const matching = rows.filter((row) => matches(operator, orderOf(values, values[row] ?? null, shown, type)));
          return [column, operator, shown, matching.length === 0 ? null : matching.reduce((sum, row) => sum + idOf(row), 0)];
        });
        expect(results).toEqual(expected);
      });

      it("are sorted as they are shown, empty values last", async () => {
        for (const [at, { name: column, type, values }] of columns.entries()) {
          // Both for each kind of type.
          const direction = at % 2 === 0 ? "asc" : "desc";
          const narrow = { ...described(), columns: described().columns.filter((one) => one.name === "id" || one.name === column) };
          const found = await rowsOf(await bench.engine.search(narrow, { ...all, sort: [{ column, direction }] }, engineCall()));
          const sign = direction === "asc" ? 1 : -1;
          const expected = rows
            .map((row) => values[row] ?? null)
            .toSorted((one, other) => Number(one === null) - Number(other === null) || sign * (orderOf(values, one, other, type) ?? 0));
          expect([column, direction, found.map((row) => row[column])]).toEqual([column, direction, expected]);
        }
      });

      it("have a smallest and a largest value", async () => {
        const aggregations = columns.flatMap(({ name: column }) =>
          (["count", "min", "max"] as const).map((type): Aggregation => ({ type, column })),
        );
        const [found = []] = await bench.engine.aggregate(described(), aggregations, [], all, engineCall());
        const results = columns.map(({ name: column }, at) => [column, ...found.slice(3 * at, 3 * at + 3)]);
        const expected = columns.map(({ name: column, type, values }) => {
          const present = values.filter((one) => one !== null).toSorted((one, other) => orderOf(values, one, other, type) ?? 0);
          return [column, present.length, present[0] ?? null, present.at(-1) ?? null];
        });
        expect(results).toEqual(expected);
      });

      it("are profiled", async () => {
        const profile = await bench.engine.profileDataset(described(), { conditions: [], timeoutMs: 100_000 }, engineCall());
        const results = profile.columns.map(({ name: column, empty, distinct }) => [column, empty, distinct]);
        const expected = columns.map(({ name: column, values }) => {
          const present = values.filter((one) => one !== null);
          return [column, rows.length - present.length, new Set(present).size];
        });
        expect(results).toEqual([["id", 0, 4], ...expected]);
      });

      it("are exported as JSON, CSV, Parquet and Arrow", async () => {
        const csvColumns = described().columns.map(({ name: column, type }): Column => ({
          name: column,
          type,
          description: "",
          combined: null,
        }));
        const file = (format: string) => path.join(bench.exportFolder, `${randomUUID()}.${format}`);
        const write = async (format: "json" | "csv" | "parquet" | "arrow") => {
          const target = { format, path: file(format), csvColumns, onRows: () => {} };
          expect(await bench.engine.export(described(), all, target, engineCall())).toBe(rows.length);
          return target.path;
        };
        expect(JSON.parse(await readFile(await write("json"), "utf8"))).toEqual(rows.map(shownRow));

        // Cells as texts, times in ISO 8601 and, in Parquet, with milliseconds.
        const cellsOf = (withMs: boolean) =>
          rows.map((row) => {
            const cells = shownTypes.map((one) => {
              const [stored, type] = [one.values[row], typeOf(one)];
              if (stored === undefined || shownOf(stored) === null) return null;
              return isTime(type) ? isoText(Number(stored.shown), type, withMs) : stored.text;
            });
            return [String(idOf(row)), cells].flat();
          });
        const names = ["id", ...columns.map((column) => column.name)];
        const csv = await write("csv");
        const isGuarded = (type: ColumnType, text: string | null) => type === "STRING" && text !== null && /^[-+=@\t\r]/.test(text);
        const guarded = cellsOf(false).map((cells) =>
          cells.map((text, at) => (isGuarded(columns[at - 1]?.type ?? "integer", text) ? `'${text}` : text)),
        );
        const given = names.map((column) => `'${column}': 'VARCHAR'`).join(", ");
        const fromCsv = `read_csv('${csv}', header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false, columns = {${given}})`;
        expect(await textsOf(fromCsv)).toEqual(guarded);

        const parquet = `read_parquet('${await write("parquet")}')`;
        const timed = columns.map(({ name: column, type }) =>
          isTime(type) ? `strftime("${column}", '%Y-%m-%dT%H:%M:%S.%gZ')` : `"${column}"`,
        );
        expect(await textsOf(`(select id, ${timed.join(", ")} from ${parquet})`)).toEqual(cellsOf(true));

        // As in JSON, except that times are milliseconds and decimals texts.
        const arrow = shownRows(await readFile(await write("arrow")));
        const inUnits = arrow.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([column, value]) => {
              const type = columns.find((one) => one.name === column)?.type;
              if (type === "TIMESTAMP_SECONDS" && typeof value === "number") return [column, Math.floor(value / 1_000)];
              return [column, type !== "STRING" && typeof value === "string" ? shownNumber(value) : value];
            }),
          ),
        );
        expect(inUnits).toEqual(rows.map(shownRow));
      });
    });
  });
}

/** Every value of a table expression of DuckDB as text. */
async function textsOf(from: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(`select columns(*)::varchar from ${from}`)).getRowsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A number where JSON has one. */
function shownNumber(text: string): CellValue {
  const [whole = ""] = text.replace("-", "").split(".");
  return BigInt(whole) <= 2n ** 53n ? Number(text) : text;
}

const isTime = (type: ColumnType): boolean => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS";

function isoText(shown: number, type: ColumnType, withMs: boolean): string {
  const text = new Date(type === "TIMESTAMP_SECONDS" ? shown * 1_000 : shown).toISOString();
  return type === "TIMESTAMP_SECONDS" && !withMs ? text.replace(".000Z", "Z") : text;
}

/** How a value compares with another one of its column; undefined if it is missing. */
function orderOf(values: readonly CellValue[], one: CellValue, other: CellValue, type: ColumnType): number | undefined {
  if (one === null || other === null) return undefined;
  if (type === "STRING") return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  return one === other ? 0 : values.indexOf(one) - values.indexOf(other);
}

const matches = (operator: Operator, order: number | undefined): boolean =>
  order === undefined ? operator === "<>" : satisfies(operator, order);
