import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import type { DerivedStep, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { type TriedRow, derivedDataset, differencesOf, everyFormula, stepsOf, triedColumns, triedRows } from "#testing/expression-cases.ts";
import { randomFormulas } from "#testing/random-formulas.ts";
import type { SqlEngineUnderTest } from "#testing/sql-engine-suite.ts";

interface Options {
  /** Formulas of each statement: servers compile each. */
  readonly formulas: number;
  readonly rows: number;
  readonly seeds: readonly number[];
}

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };
const call = engineCall();

type Subject = Pick<SqlEngineUnderTest, "engine" | "store" | "close">;

/** SQL of a value. Times are made of texts, which all engines read. */
function literal(name: (typeof triedColumns)[number]["name"], value: TriedRow[keyof TriedRow]): string {
  const iso = (ms: number) => `'${new Date(ms).toISOString().replace("T", " ").replace("Z", "")}'`;
  const types = { n: "bigint", m: "bigint", x: "double", y: "double", s: "varchar", u: "varchar", b: "boolean", c: "boolean" } as const;
  if (name === "t") return value === null ? "cast(null as timestamp)" : `cast(${iso(Number(value))} as timestamp)`;
  if (name === "v") return value === null ? "cast(null as timestamp)" : `cast(${iso(Number(value) * 1_000)} as timestamp)`;
  if (name === "d") return value === null ? "cast(null as date)" : `cast(${iso(Number(value) * 1_000).slice(0, 11)}' as date)`;
  return value === null ? `cast(null as ${types[name]})` : `cast('${String(value).replaceAll("'", "''")}' as ${types[name]})`;
}

export const selectOf = (rows: readonly TriedRow[]): string =>
  rows.map((row) => `select ${triedColumns.map(({ name }) => `${literal(name, row[name])} as "${name}"`).join(", ")}`).join(" union all ");

/** Tests of computed columns and lookups for every SQL engine, with one evaluator in plain code. */
export function describeDerivedColumns(name: string, options: Options, open: () => Promise<Subject>): void {
  describe(`derived columns of ${name}`, { timeout: 600_000 }, () => {
    let subject: Subject;
    let tried: QueryableDataset;

    beforeAll(async () => {
      subject = await open();
      const source = await subject.store("tried", selectOf(triedRows(options.rows)));
      tried = { ...datasetOver("", {}), source, columns: triedColumns };
    }, 300_000);
    afterAll(() => subject.close());

    const differences = async (formulas: readonly string[]): Promise<string[]> => {
      const found: string[] = [];
      for (let at = 0; at < formulas.length; at += options.formulas) {
        const some = formulas.slice(at, at + options.formulas);
        const steps = stepsOf(some);
        const rows = await rowsOf(await subject.engine.search(derivedDataset(tried, steps), all, call));
        expect(rows).toHaveLength(options.rows);
        found.push(...differencesOf(some, steps, rows));
      }
      return found.slice(0, 20);
    };

    it("every function gives what the evaluator gives, and no value makes a search fail", async () => {
      expect(await differences(everyFormula)).toEqual([]);
    });

    it.each(options.seeds)("so do formulas made at random (seed %i)", async (seed) => {
      expect(await differences(randomFormulas(seed, 60))).toEqual([]);
    });

    it("lookups neither add rows nor leave some out, and have values where all rows of a key agree", async () => {
      const rows = triedRows(options.rows);
      for (const [column, on] of [
        ["s", "u"],
        ["n", "m"],
        ["n", "x"],
        ["t", "v"],
        ["d", "t"],
      ] as const) {
        const columns = (["x", "s", "b", "v"] as const).map((from) => ({
          from,
          column: { ...triedColumns.find((one) => one.name === from), name: `found ${from}` } as QueryableDataset["columns"][number],
        }));
        const step: DerivedStep = { kind: "lookup", dataset: tried, match: "exact", key: [{ column, on }], columns };
        const found = await rowsOf(await subject.engine.search(derivedDataset(tried, [step]), all, call));
        expect(found).toHaveLength(rows.length);
        for (const row of found) {
          const key = keyOf(column, row[column]);
          const matches = key === null ? [] : found.filter((other) => keyOf(on, other[on]) === key);
          for (const { from, column: made } of columns) {
            const values = new Set(matches.map((other) => JSON.stringify(other[from])));
            const expected = values.size === 1 ? matches[0]?.[from] : null;
            expect([column, on, row[column], from, row[made.name]]).toEqual([column, on, row[column], from, expected]);
          }
        }
      }
    });

    it("pages in any order have the rows of that order, with all their columns", async () => {
      const found = { ...triedColumns.find(({ name }) => name === "x"), name: "found x" } as QueryableDataset["columns"][number];
      const lookup: DerivedStep = {
        kind: "lookup",
        dataset: tried,
        match: "exact",
        key: [{ column: "s", on: "u" }],
        columns: [{ from: "x", column: found }],
      };
      const computed = stepsOf(["coalesce(s, '') || 'e'", "n % 7"]);
      const dataset = derivedDataset(tried, [lookup, ...computed]);
      const rows = await rowsOf(await subject.engine.search(dataset, all, call));
      const texts = new Set(rows.map((row) => JSON.stringify(row)));
      const [, made] = computed;
      const keys = ["n", made?.kind === "computed" ? made.column.name : "", "found x"];
      for (const column of keys) {
        const sort = [{ column, direction: "desc" as const }];
        const sorted = await rowsOf(await subject.engine.search(dataset, { ...all, sort }, call));
        for (const offset of [0, 7]) {
          const page = await rowsOf(await subject.engine.search(dataset, { ...all, sort, offset, limit: 20 }, call));
          expect(page.map((row) => row[column])).toEqual(sorted.slice(offset, offset + 20).map((row) => row[column]));
          expect(page.filter((row) => !texts.has(JSON.stringify(row)))).toEqual([]);
        }
      }
      expect(await rowsOf(await subject.engine.search(dataset, { ...all, limit: 9 }, call))).toHaveLength(9);
    });

    it("what a search does not name is neither computed nor joined", async () => {
      const steps: DerivedStep[] = [
        ...stepsOf(["s || u"]),
        {
          kind: "lookup",
          dataset: tried,
          match: "loose",
          key: [{ column: "s", on: "u" }],
          columns: [{ from: "x", column: { name: "z", type: "decimal" } }],
        },
      ];
      const counted = await subject.engine.aggregate(derivedDataset(tried, steps), [{ type: "count", column: "*" }], [], all, call);
      expect(counted).toEqual([[options.rows]]);
    });
  });
}

/** A value as it is compared with those of another column: texts as they are, numbers and times by what they stand for. */
function keyOf(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (name === "v" || name === "d") return String(Number(value) * 1_000);
  if (name === "n" || name === "m" || name === "x") return String(Number(value));
  return typeof value === "string" ? value : JSON.stringify(value);
}
