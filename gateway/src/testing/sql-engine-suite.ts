import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Column, type ColumnType, type Operator, operator as operators, operatorsOf, satisfies } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import type { AggregationGroup, ComparisonCondition, DatasetSource, QueryEngine, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { typesOf } from "#testing/arrow-table.ts";
import { engineCall } from "#testing/engine-call.ts";
import { digits, type Kind, kinds, manyRows, manySelect, shownKinds, type SqlTypeNames, westward } from "#testing/sql-engine-rows.ts";
import { Scope } from "#query/scope.ts";

export interface SqlEngineUnderTest {
  readonly engine: QueryEngine;
  readonly types: SqlTypeNames;
  /** Whether times have more digits than milliseconds. */
  readonly precise: boolean;
  /** Folder of exports. */
  readonly exportFolder: string;
  /** Stores the rows of a SELECT. */
  store(name: string, select: string): Promise<DatasetSource>;
  /** A source that does not exist. */
  readonly absent: DatasetSource;
  close(): Promise<void>;
}

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };
const hour = 3_600_000;

/** Compares values as the product shows them; integers beyond 2^53 are shown as texts. */
function compare(one: CellValue, other: CellValue, type: ColumnType): number {
  if (type === "STRING") return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  if (type === "BOOLEAN") return Number(one) - Number(other);
  const scaled = (value: CellValue) => {
    const [whole = "", fraction = ""] = String(value).split(".");
    return BigInt(`${whole}${fraction.padEnd(10, "0").slice(0, 10)}`);
  };
  return scaled(one) < scaled(other) ? -1 : scaled(one) > scaled(other) ? 1 : 0;
}

/** Tests for every engine that compiles searches to SQL, over the same rows and with the same expectations. */
export function describeSqlEngine(name: string, open: () => Promise<SqlEngineUnderTest>): void {
  describe(`the SQL of ${name}`, { timeout: 300_000 }, () => {
    let subject: SqlEngineUnderTest;
    let kindsDataset: QueryableDataset;
    let many: QueryableDataset;

    beforeAll(async () => {
      subject = await open();
      const columns = kinds(subject.types);
      const cell = (type: string, wanted: string | null): string => {
        const text = subject.precise ? wanted : (wanted?.replace(/(:\d\d\.\d{3})\d+$/, "$1") ?? null);
        if (text === null) return type === "" ? "cast(null as integer array)" : `cast(null as ${type})`;
        if (type === "") return text;
        return text.startsWith("=")
          ? `cast(${text.slice(1)} as ${type})`
          : `cast('${text.includes("''") ? text : text.replaceAll("'", "''")}' as ${type})`;
      };
      const row = (index: number) =>
        Object.entries(columns).map(([column, [, type, ...texts]]) => `${cell(type, texts[index] ?? null)} as "${column}"`);
      const rows = [2, 0, 3, 1].map((index) => `select ${row(index).join(", ")}`);
      const source = await subject.store("kinds", rows.join(" union all "));
      kindsDataset = datasetOf(source, Object.fromEntries(Object.entries(columns).map(([column, [type]]) => [column, type])), {
        temporalField: "at",
        orderBy: [{ column: "id", direction: "asc" }],
      });
      many = datasetOf(
        await subject.store(
          "many",
          manySelect.replaceAll(/digits (\w)/g, (_, alias: string) => digits.replace("as digits", `as ${alias}`)),
        ),
        { n: "integer", key: "integer", item: "STRING", time: "TIMESTAMP_MILLS", lat: "decimal", lng: "decimal" },
        { temporalField: "time", location: { latitude: "lat", longitude: "lng" } },
      );
    }, 180_000);
    afterAll(() => subject.close());

    const search = async (dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
      rowsOf(await subject.engine.search(dataset, { ...all, ...query }, call));
    const count = async (dataset: QueryableDataset, query: Partial<SearchQuery>) =>
      (await subject.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], { ...all, ...query }, call))[0]?.[0];

    it("returns every type as the product shows it", async () => {
      expect(await search(kindsDataset)).toEqual(shownKinds);
      const columns = await subject.engine.columns(kindsDataset.source, call);
      const described = Object.fromEntries(columns.map(({ name: column, type }) => [column, type]));
      expect(described).toMatchObject({
        id: "integer",
        name: "STRING",
        flag: "BOOLEAN",
        big: "integer",
        whole: "integer",
        money: "decimal",
      });
      expect(described).toMatchObject({ real: "decimal", single: "decimal", day: "TIMESTAMP_SECONDS", fields: "STRING" });
      expect(described).toMatchObject({
        at: "TIMESTAMP_MILLS",
        fine: "TIMESTAMP_MILLS",
        zoned: "TIMESTAMP_MILLS",
        code: "STRING",
        list: "STRING",
      });
    });

    /** Counts the rows of each condition, and adds up their ids, in one call. */
    const expectRows = async (
      conditions: readonly ComparisonCondition[],
      holds: (shown: CellValue, condition: ComparisonCondition) => boolean,
    ) => {
      const groups = conditions.map((condition): AggregationGroup => ({ timeRange: null, conditions: [condition] }));
      const ids = { type: "sum", column: "id" } as const;
      const found = await subject.engine.aggregate(kindsDataset, [{ type: "count", column: "*" }, ids], groups, all, call);
      const expected = conditions.map((condition) => {
        const rows = shownKinds.filter((row) => holds(row[condition.column as Kind], condition));
        return [condition, rows.length, rows.length === 0 ? null : rows.reduce((sum, { id }) => sum + Number(id), 0)];
      });
      expect(conditions.map((condition, index) => [condition, ...(found[index] ?? [])])).toEqual(expected);
    };

    it("compares every type with every operator as the values are shown", async () => {
      const shownBy = new Map<ComparisonCondition, CellValue>();
      for (const { name: column, type } of kindsDataset.columns) {
        for (const shown of column === "id" ? [] : shownKinds.map((row) => row[column as Kind])) {
          if (shown === null) continue;
          for (const operator of operatorsOf(type)) shownBy.set(conditionOn(column, type, operator, shown), shown);
        }
      }
      await expectRows([...shownBy.keys()], (value, condition) => {
        const { operator, type } = condition;
        return value === null ? operator === "<>" : satisfies(operator, compare(value, shownBy.get(condition) ?? null, type));
      });
    });

    it("compares integers with numbers that the column cannot hold", async () => {
      const conditions = (["big", "whole"] as const).flatMap((column) =>
        operators.options.flatMap((operator) =>
          [2n ** 127n, -(2n ** 127n)].map((value): ComparisonCondition => ({ column, type: "integer", operator, value })),
        ),
      );
      await expectRows(conditions, (shown, { operator, value }) =>
        shown === null ? operator === "<>" : satisfies(operator, Number(value) > 0 ? -1 : 1),
      );
    });

    it("distinguishes rows without a value of every type from those with one, as the values are shown", async () => {
      const conditions = kindsDataset.columns.flatMap(({ name: column, type }) =>
        (["=", "<>"] as const).map((operator): ComparisonCondition => ({ column, type, operator, value: null })),
      );
      await expectRows(conditions, (shown, { operator }) => (shown === null) === (operator === "="));
    });

    it.each(["name", "big", "exact", "real", "finest", "zoned", "code", "list"] as const)(
      "sorts by %s in both directions, empty values last",
      async (column) => {
        const type = kindsDataset.columns.find((one) => one.name === column)?.type ?? "STRING";
        for (const direction of ["asc", "desc"] as const) {
          const expected = shownKinds.toSorted((one, other) => {
            const [a, b] = [one[column], other[column]];
            if (a === null || b === null) return Number(a === null) - Number(b === null) || Number(one.id) - Number(other.id);
            return compare(a, b, type) * (direction === "asc" ? 1 : -1) || Number(one.id) - Number(other.id);
          });
          const rows = await search(kindsDataset, { sort: [{ column, direction }] });
          // Rows with the same value may come in any order.
          expect([direction, rows.map((row) => row[column])]).toEqual([direction, expected.map((row) => row[column])]);
        }
      },
    );

    it("takes texts, names and areas literally, however long they are", async () => {
      for (const value of ["' or 1=1 --", `it's "?" $1 \\ é😀`, "$1", "?", "x".repeat(20_000)]) {
        const rows = await search(kindsDataset, { conditions: [{ column: "name", type: "STRING", operator: "=", value }] });
        expect(rows.length).toBe(shownKinds.filter((row) => row.name === value).length);
      }
    });

    it("pages and samples without a unique order, so that no row is repeated or missing", async () => {
      const sort = [{ column: "key", direction: "desc" }] as const;
      const pages = await Promise.all([0, 300, 600, 900, 1_200].map((offset) => search(many, { sort, offset, limit: 300 })));
      const rows = pages.flat();
      expect(rows.map(({ key }) => key)).toEqual(manyRows.map(({ key }) => key).toSorted((one, other) => other - one));
      expect(rows.map(({ n }) => Number(n)).toSorted((one, other) => one - other)).toEqual(manyRows.map(({ n }) => n));
      expect(await search(many, { sort, limit: 1_000 })).toEqual(rows);
      const sample = await rowsOf(await subject.engine.sample(many, { conditions: [keyIs(3)], limit: 25 }, call));
      expect(sample.map(({ key }) => key)).toEqual(Array.from({ length: 25 }, () => 3));
    });

    it("streams all rows of a large search in order and says where it was cut", async () => {
      const cut = await subject.engine.search(many, { ...all, sort: [{ column: "n", direction: "asc" }], limit: 999 }, call);
      const rows = await rowsOf(cut);
      expect(rows.map(({ n }) => n)).toEqual(manyRows.slice(0, 999).map(({ n }) => n));
      expect(rows[998]).toEqual(manyRows[998]);
      expect(await cut.hasMore).toBe(true);
    });

    it("aggregates whole searches, steps of time and groups of their own", async () => {
      const aggregations = [
        { type: "count", column: "*" },
        { type: "count", column: "item" },
        { type: "sum", column: "n" },
        { type: "avg", column: "lat" },
        { type: "min", column: "time" },
        { type: "max", column: "item" },
      ] as const;
      const expectedOf = (rows: typeof manyRows) => {
        const items = rows.flatMap(({ item }) => item ?? []);
        const empty = rows.length === 0;
        const mean = rows.reduce((sum, { lat }) => sum + lat, 0) / rows.length;
        const time = empty ? null : Math.min(...rows.map((row) => row.time));
        return [rows.length, items.length, empty ? null : sumOf(rows), empty ? null : closeTo(mean), time, items.toSorted().at(-1) ?? null];
      };
      const aggregate = (groups: readonly AggregationGroup[], query: Partial<SearchQuery> = {}) =>
        subject.engine.aggregate(many, aggregations, groups, { ...all, ...query }, call);
      expect(await aggregate([])).toEqual([expectedOf(manyRows)]);
      const start = manyRows[0]?.time ?? 0;
      const steps = Array.from({ length: 8 }, (_, index) => [start + index * hour, start + (index + 1) * hour] as const);
      const range = ([startMs, endMs]: readonly [number, number]) =>
        ({ column: "time", type: "TIMESTAMP_MILLS", startMs, endMs: endMs - 1 }) as const;
      const inStep = ([from, before]: readonly [number, number]) => manyRows.filter(({ time }) => time >= from && time < before);
      expect(await aggregate(steps.map((step) => ({ timeRange: range(step), conditions: [] })))).toEqual(
        steps.map((step) => expectedOf(inStep(step))),
      );
      const groups = [keyIs(0), keyIs(9)].map((condition) => ({ timeRange: null, conditions: [condition] }));
      expect(await aggregate(groups)).toEqual([expectedOf(manyRows.filter(({ key }) => key === 0)), expectedOf([])]);
      expect(await aggregate([], { conditions: [keyIs(9)] })).toEqual([expectedOf([])]);
    });

    it("sums and averages beyond the range of 64 bits, and takes empty values for nothing", async () => {
      const aggregations = (["sum", "avg", "min", "max", "count"] as const).flatMap((type) =>
        (["big", "whole", "money", "exact", "real", "single"] as const).map((column) => ({ type, column })),
      );
      const [values = []] = await subject.engine.aggregate(kindsDataset, aggregations, [], all, call);
      const [sums, averages, lowest, highest, counts] = [0, 6, 12, 18, 24].map((at) => values.slice(at, at + 6));
      expect(sums).toEqual([
        "-9214364837600034807",
        "12345678901234567890123456789012345677",
        12.49,
        "9007199254740992.6234567891",
        1.5,
        closeTo(-4.9),
      ]);
      expect(averages?.slice(2)).toEqual([closeTo(12.49 / 3), expect.closeTo(9007199254740992 / 3, -1), 1.5, closeTo(-2.45)]);
      expect(lowest).toEqual(["-9223372036854775807", -1, -0.01, -1, 1.5, -5]);
      expect(highest).toEqual([
        "9007199254740993",
        "12345678901234567890123456789012345678",
        12.5,
        "9007199254740993.5000000000",
        1.5,
        0.1,
      ]);
      expect(counts).toEqual([3, 3, 3, 3, 1, 2]);
    });

    it("finds the rows of an area by the even-odd rule, also across the edges of the world", async () => {
      const ring = (text: string) =>
        text.split(", ").map((point) => ({ lng: Number(point.split(" ")[0]), lat: Number(point.split(" ")[1]) }));
      const placedRows = manyRows.map((row) => ({ ...row, lng: westward(row.lng) }));
      const box = ring("-100 -20, 60 -20, 60 30, -100 30");
      const eastern = ring("120 -50, 180 -50, 180 50, 120 50");
      const inArea = (...rings: (typeof box)[]) => ({ area: { latitude: "lat", longitude: "lng", rings } });
      const inBox = ({ lat, lng }: (typeof placedRows)[number]) => lat >= -20 && lat < 30 && lng >= -100 && lng < 60;
      expect(await count(many, inArea(box))).toBe(placedRows.filter(inBox).length);
      const inEither = placedRows.filter((row) => inBox(row) || row.lng >= 120 || row.lng === -180);
      expect(await count(many, inArea(box, eastern))).toBe(inEither.length);
      // A triangle, and the same triangle with a corner on each side's middle.
      const triangle = ring("-150 -40, 150 -40, 0 45");
      const corners = ring("-150 -40, 0 -40, 150 -40, 75 2.5, 0 45, -75 2.5");
      const inside = placedRows.filter(({ lat, lng }) => lat >= -40 && Math.abs(lng) < 150 * ((45 - lat) / 85) - 1e-9).length;
      expect(await count(many, inArea(triangle))).toBe(await count(many, inArea(corners)));
      expect(Math.abs(Number(await count(many, inArea(triangle))) - inside)).toBeLessThanOrEqual(1);
      const round = Array.from({ length: 720 }, (_, step) => {
        const turn = (step / 360) * Math.PI;
        return { lng: 100 * Math.cos(turn), lat: 40 * Math.sin(turn) };
      });
      const inRound = placedRows.filter(({ lat, lng }) => (lng / 100) ** 2 + (lat / 40) ** 2 < 1).length;
      expect(Math.abs(Number(await count(many, inArea(round))) - inRound)).toBeLessThanOrEqual(2);
    });

    it("keeps whole days as dates: found by the day, and exported without a clock", async () => {
      const { engine } = subject;
      expect((await engine.columns(kindsDataset.source, call)).filter(({ day }) => day === true).map(({ name }) => name)).toEqual(["day"]);
      const dated = { ...kindsDataset, columns: kindsDataset.columns.map((one) => (one.name === "day" ? { ...one, day: true } : one)) };
      const onLeapDay = {
        column: "day",
        type: "TIMESTAMP_SECONDS",
        operator: "=",
        value: BigInt(Date.UTC(2020, 1, 29)),
        day: true,
      } as const;
      expect((await search(dated, { conditions: [onLeapDay] })).map(({ id, day }) => [id, day])).toEqual([[0, 1_582_934_400]]);
      const csvColumns = [{ name: "day", type: "TIMESTAMP_SECONDS", description: "", combined: null, day: true }] as const;
      const file = path.join(subject.exportFolder, `days-${Date.now()}.csv`);
      await engine.export?.(dated, all, { format: "csv", path: file, csvColumns, onRows: () => {} }, call);
      expect((await readFile(file, "utf8")).split("\r\n")).toEqual(["day", "2020-02-29", "1969-12-31", "0001-01-01", "", ""]);
      const arrow: Uint8Array[] = [];
      for await (const chunk of (await engine.searchArrow?.(dated, all, call))?.chunks ?? []) arrow.push(chunk);
      expect(typesOf(Buffer.concat(arrow))["day"]).toBe("Date32<DAY>");
    });

    it("returns each item's newest row and its path", async () => {
      const { maps } = subject.engine;
      const latest = await maps?.latest(many, { item: "item", time: "time" }, all, call);
      const rows = latest === undefined ? [] : await rowsOf(latest);
      const newest = new Map<string, number>();
      for (const { item, time } of manyRows) if (item !== null) newest.set(item, Math.max(time, newest.get(item) ?? 0));
      expect(new Map(rows.map(({ item, time }) => [item, time]))).toEqual(newest);
      expect(rows).toHaveLength(newest.size);
      expect(rows.map(({ time }) => Number(time))).toEqual([...newest.values()].toSorted((one, other) => other - one));

      const location = { latitude: "lat", longitude: "lng" };
      const conditions = [{ column: "item", type: "STRING", operator: "=", value: "item 1" }] as const;
      const request = { time: "time", location, intervalMs: hour };
      const path1 = (offset: number, limit: number) =>
        maps?.path(many, { ...request, columns: ["time"] }, { ...all, conditions, offset, limit }, call);
      const ofItem = manyRows.filter(({ item }) => item === "item 1");
      const intervals = new Set(ofItem.map(({ time }) => Math.floor(time / hour)));
      expect(await maps?.countPath(many, request, { ...all, conditions }, call)).toBe(intervals.size);
      const pages = await Promise.all([0, 2, 4].map(async (offset) => rowsOf((await path1(offset, 2)) ?? noRows)));
      expect(pages.flat()).toEqual([...intervals].map((index) => ({ time: ofItem.find(({ time }) => time >= index * hour)?.time })));
      const every = await maps?.path(many, { ...request, intervalMs: 0, columns: ["n", "time"] }, { ...all, conditions }, call);
      expect((await rowsOf(every ?? noRows)).length).toBe(ofItem.length);

      const shape = { ...request, item: "item", points: 1_000, perTrack: { min: 2, max: 4 } };
      const tracks = await rowsOf((await maps?.tracks(many, shape, all, call)) ?? noRows);
      const [first = 0, last = 0] = [Math.min, Math.max].map((pick) => pick(...ofItem.map(({ time }) => time)));
      const parts = new Set(ofItem.map(({ time }) => Math.floor(((time - first) / (last - first)) * 4)));
      expect(tracks.filter(({ item }) => item === "item 1").map(({ time }) => Number(time))).toHaveLength(parts.size);
      expect(new Set(tracks.map(({ item }) => item))).toEqual(new Set(newest.keys()));
      const positions = new Set(manyRows.map(({ item, time, lat, lng }) => [item, time, lat, westward(lng)].join()));
      expect(tracks.every(({ item, time, lat, lng }) => positions.has([item, time, lat, lng].join()))).toBe(true);
    });

    it("suggests values and profiles columns", async () => {
      const { engine } = subject;
      const request = { column: "item", contains: "ITEM 2", rows: 10_000 };
      const matching = manyRows.filter(({ item }) => item === "item 2").length;
      expect(await engine.suggest?.(many, request, all, call)).toEqual({ values: [{ value: "item 2", rows: matching }], complete: true });
      expect(await engine.suggest?.(many, { ...request, rows: null }, all, call)).toEqual({
        values: [{ value: "item 2", rows: matching }],
        complete: true,
      });
      expect(await engine.suggest?.(many, { column: "n", contains: "99", rows: 5 }, all, call)).toMatchObject({ complete: false });
      expect(await engine.profile?.(many, "key", all, call)).toMatchObject({
        rows: 1_000,
        empty: 0,
        distinct: 7,
        min: 0,
        max: 6,
        top: expect.arrayContaining([{ value: 0, rows: 143 }]) as unknown,
        histogram: Array.from({ length: 7 }, (_, from) => ({ from, to: from + 1, rows: from < 6 ? 143 : 142 })),
      });
      expect(await engine.profile?.(many, "item", all, call)).toMatchObject({ rows: 1_000, empty: 100, distinct: 5, histogram: [] });
      const times = await engine.profile?.(kindsDataset, "fine", all, call);
      expect([times?.min, times?.max, times?.empty, times?.distinct]).toEqual([-1, 1577872805251, 1, 3]);
      expect(await engine.profile?.(kindsDataset, "real", all, call)).toMatchObject({ rows: 4, empty: 3, distinct: 1, min: 1.5, max: 1.5 });
    });

    it("profiles a whole dataset", async () => {
      const statistics = await subject.engine.profileDataset?.(many, { conditions: [], timeoutMs: 100_000 }, call);
      expect(statistics).toMatchObject({ rows: 1_000, oldestMs: manyRows[0]?.time, newestMs: manyRows.at(-1)?.time });
      expect(statistics?.coverage).toEqual({ unit: "day", buckets: [{ startMs: manyRows[0]?.time, rows: 1_000 }] });
      expect(statistics?.positions.length).toBeGreaterThan(100);
      expect(statistics?.positions.every(([, lng]) => Math.abs(lng) <= 180)).toBe(true);
      const [n, key, item] = statistics?.columns ?? [];
      expect(n).toMatchObject({ name: "n", empty: 0, distinct: 1_000, min: 0, max: 999 });
      expect(n?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_000);
      expect(key).toMatchObject({ distinct: 7, top: expect.arrayContaining([{ value: 0, rows: 143 }]) as unknown });
      expect(item).toMatchObject({ empty: 100, distinct: 5, min: "item 0", max: "item 4", isApproximate: false });
      const ofKinds = await subject.engine.profileDataset?.(kindsDataset, { conditions: [], timeoutMs: 100_000 }, call);
      expect(ofKinds?.columns.map(({ empty, distinct }) => [empty, distinct])).toEqual(
        kindsDataset.columns.map(({ name: column }) => {
          const values = shownKinds.flatMap((row) => row[column as Kind] ?? []);
          return [4 - values.length, new Set(values).size];
        }),
      );
    });

    it("knows the first and the last time", async () => {
      expect(await subject.engine.timeExtent(kindsDataset, call)).toEqual({ startMs: -1, endMs: 1577872805251 });
      const days = { ...kindsDataset, temporalField: "day" };
      expect(await subject.engine.timeExtent(days, call)).toEqual({ startMs: -62135596800000, endMs: 1582934400000 });
    });

    it("exports every row as CSV and JSON", async () => {
      const write = async (format: "csv" | "json", csvColumns: readonly Column[]) => {
        const file = path.join(subject.exportFolder, `suite-${Date.now()}.${format}`);
        const target = { format, path: file, csvColumns, onRows: () => {} };
        const rows = await subject.engine.export?.(kindsDataset, all, target, call);
        return [rows, await readFile(file, "utf8")] as const;
      };
      const plain = (column: Kind): Column => ({ name: column, type: kinds(subject.types)[column][0], description: "", combined: null });
      const names = [
        "id",
        "name",
        "flag",
        "big",
        "whole",
        "money",
        "real",
        "single",
        "day",
        "at",
        "finest",
        "zoned",
        "epoch",
        "code",
        "list",
      ] as const;
      const pair: Column = {
        name: "pair",
        type: "STRING",
        description: "",
        combined: { fields: ["money", "real"], joinedBy: " / " },
      } as unknown as Column;
      const [rows, text] = await write("csv", [...names.map(plain), pair]);
      expect(rows).toBe(4);
      expect(text.split("\r\n")).toEqual([
        "id,name,flag,big,whole,money,real,single,day,at,finest,zoned,epoch,code,list,pair",
        `0,"it's ""?"" $1 \\ é😀",true,9007199254740993,12345678901234567890123456789012345678,12.50,1.5,0.1,2020-02-29T00:00:00Z,2020-01-01T10:00:05.250Z,2020-01-01T10:00:05Z,2020-01-01T00:00:00.500Z,2017-07-14T02:40:00Z,12151fd2-7586-11e9-8f9e-2a86e4085a59,"[1,2]",12.50 / 1.5`,
        `1,"",false,-9223372036854775807,-1,-0.01,,-5.0,1969-12-31T00:00:00Z,1969-12-31T23:59:59.999Z,1969-12-31T23:59:59Z,2020-01-01T00:00:00.500Z,1969-12-31T23:59:59Z,00000000-0000-0000-0000-000000000000,[],'-0.01 / `,
        `2,Zoë; drop -- /*,,7,0,0.00,,,0001-01-01T00:00:00Z,2020-01-01T10:00:05.251Z,2020-01-01T10:00:06Z,1960-01-01T00:00:00.000Z,1970-01-01T00:00:00Z,,"[null,3]",0.00 / `,
        "3,,true,,,,,,,,,,,,,",
        "",
      ]);
      const [, json] = await write("json", []);
      expect(JSON.parse(json)).toEqual(shownKinds);
    });

    it("says what is missing", async () => {
      const lost = { ...kindsDataset, source: subject.absent };
      await expect(search(lost)).rejects.toMatchObject({ reason: "not-ready", problems: [{ code: "data-missing" }] });
      const other = {
        ...kindsDataset,
        columns: [...kindsDataset.columns, { name: "nothing", type: "STRING" as const }, { name: "extra", type: "STRING" as const }],
      };
      await expect(search(other)).rejects.toMatchObject({ reason: "not-ready", problems: [{ column: "nothing" }, { column: "extra" }] });
      const mistyped = kindsDataset.columns.map((column) => (column.name === "name" ? { ...column, type: "integer" as const } : column));
      expect(await subject.engine.check?.({ ...kindsDataset, columns: mistyped }, call)).toMatchObject([
        { code: "column-type", column: "name" },
      ]);
      expect(await subject.engine.check?.({ ...kindsDataset, source: subject.absent }, call)).toMatchObject([{ code: "data-missing" }]);
      expect(await subject.engine.check?.(kindsDataset, call)).toEqual([]);
    });
  });
}

const noRows = { chunks: (async function* () {})(), hasMore: Promise.resolve(false) };
const closeTo = (value: number): unknown => expect.closeTo(value, 6);
const sumOf = (rows: readonly { readonly n: number }[]): number => rows.reduce((sum, { n }) => sum + n, 0);
const keyIs = (value: number): ComparisonCondition => ({ column: "key", type: "integer", operator: "=", value: BigInt(value) });

function datasetOf(
  source: DatasetSource,
  columns: Readonly<Record<string, ColumnType>>,
  more: Partial<QueryableDataset>,
): QueryableDataset {
  return {
    category: "tests",
    id: "rows",
    source,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    temporalField: null,
    location: null,
    orderBy: [],
    scope: Scope.whole,
    ownConditions: [],
    features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
    ...more,
  };
}

/** A condition with a value as it is shown. */
export function conditionOn(column: string, type: ColumnType, operator: Operator, shown: CellValue): ComparisonCondition {
  switch (type) {
    case "integer":
      return { column, type, operator, value: BigInt(String(shown)) };
    case "decimal":
      return { column, type, operator, value: Number(shown), digits: String(shown) };
    case "TIMESTAMP_SECONDS":
      return { column, type, operator, value: BigInt(Number(shown) * 1_000) };
    case "TIMESTAMP_MILLS":
      return { column, type, operator, value: BigInt(Number(shown)) };
    case "BOOLEAN":
    case "STRING":
      return { column, type, operator, value: shown };
    default:
      return type satisfies never;
  }
}
