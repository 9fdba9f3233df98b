import { type Box, type CellRange, cellBox, cellsAcross, cellsOfBox, columnEdge, rowEdge } from "@fairway/contract/grid-cells";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import type { GridQuery, GridResult, GridSteps, QueryEngine, QueryableDataset } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import type { SqlEngineUnderTest } from "#testing/sql-engine-suite.ts";

const call = engineCall();
const location = { latitude: "lat", longitude: "lng" };
const everything = { timeRange: null, area: null, conditions: [] };

interface Place {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly value: number | null;
}

interface Row extends Place {
  readonly time: number | null;
}

/** Edges of cells of several levels, and the values next to them. */
function edgeRows(): Place[] {
  const rows: Place[] = [];
  for (const level of [1, 3, 6, 9]) {
    for (let cell = 0; cell <= cellsAcross(level); cell += Math.max(1, 2 ** (level - 4))) {
      const [lat, lng] = [rowEdge(cell, level), columnEdge(cell, level)];
      rows.push({ lat, lng, value: cell }, { lat: lat - 1e-9, lng: lng + 1e-12, value: 0.5 }, { lat: 0, lng, value: null });
      if (lng < 0) rows.push({ lat, lng: lng + 360, value: -cell });
    }
  }
  return rows;
}

/** The same numbers at each run. */
function randomRows(count: number): Place[] {
  let state = 7;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, () => ({ lat: next() * 180 - 90, lng: next() * 540 - 180, value: Math.round(next() * 1000) / 8 }));
}

const odd: readonly Place[] = [
  { lat: 90, lng: 0, value: 1 },
  { lat: -90, lng: 180, value: 2 },
  { lat: 86, lng: -180, value: 3 },
  { lat: 0, lng: 360, value: Number.NaN },
  { lat: 0, lng: 180, value: Number.POSITIVE_INFINITY },
  { lat: null, lng: 4, value: 4 },
  { lat: 5, lng: null, value: 5 },
  { lat: Number.NaN, lng: 0, value: 6 },
  { lat: 0, lng: Number.NEGATIVE_INFINITY, value: 7 },
  { lat: 91, lng: 0, value: 8 },
  { lat: 0, lng: 361, value: 9 },
  { lat: 0, lng: -180.5, value: 10 },
];

/** About every third hour from the end of 2022, so that many are at the beginning of a day or a month; every tenth has no time. */
const timeOf = (index: number): number | null => (index % 10 === 3 ? null : Date.parse("2022-12-30T00:00:00Z") + index * 10_800_000);

const rows: readonly Row[] = [...edgeRows(), ...randomRows(1_500), ...odd].map(({ lat, lng, value }, index) => ({
  lat,
  lng,
  value,
  time: timeOf(index),
}));

const select = (): string => {
  const text = (value: number | null) => `cast(${value === null ? "null" : `'${value}'`} as double)`;
  const values = rows.map(({ lat, lng, value, time }) => `(${[lat, lng, value].map(text).join(", ")}, cast(${time ?? "null"} as bigint))`);
  return `select * from (values ${values.join(", ")}) as places(lat, lng, value, "time")`;
};

const isPlace = ({ lat, lng }: Place): boolean => lat !== null && lng !== null && Math.abs(lat) <= 90 && lng >= -180 && lng <= 360;

/** By comparing with edges only. */
function isWithin(row: Row, [west, south, east, north]: Box): boolean {
  const { lat, lng } = row;
  if (lat === null || lng === null || !isPlace(row)) return false;
  const isEast = east - west >= 360 || [-360, 0, 360].some((turn) => lng >= west + turn && lng < east + turn);
  return isEast && lat >= south && (north >= 90 ? lat <= 90 : lat < north);
}

type Subject = Pick<SqlEngineUnderTest, "store" | "close"> & { readonly engine: SqlEngineUnderTest["engine"] & CountsByPlace };
type CountsByPlace = Required<Pick<QueryEngine, "grid" | "gridRows">>;

/** Tests of grids for every SQL engine, by comparing each row with the edges of boxes. */
export function describeGrids(name: string, open: () => Promise<Subject>): void {
  describe(`grids of ${name}`, { timeout: 300_000 }, () => {
    let subject: Subject;
    let dataset: QueryableDataset;
    beforeAll(async () => {
      subject = await open();
      const source = await subject.store("places", select());
      const columns = { lat: "decimal", lng: "decimal", value: "decimal", time: "TIMESTAMP_MILLS" } as const;
      dataset = { ...datasetOver("", columns), source };
    }, 180_000);
    afterAll(() => subject.close());

    const boxCondition = ([west, south, east, north]: Box) => ({ operator: "within", ...location, west, south, east, north }) as const;

    const grid = (
      level: number,
      cells: CellRange | null = null,
      measure: GridQuery["measure"] = null,
      time?: GridQuery["time"],
    ): Promise<GridResult> => {
      const conditions = cells === null ? [] : [boxCondition(cellBox(cells, level))];
      const timed = time === undefined ? {} : { time };
      return subject.engine.grid(dataset, { ...everything, conditions, level, location, cells, measure, ...timed }, call);
    };

    const numbers = ({ parts }: GridResult, name: "x" | "y" | "rows" | "counted" | "value"): (number | null)[] =>
      parts.flatMap((part) => JSON.parse(`[${part[name] ?? ""}]`) as (number | null)[]);

    /** Rows by cell, as `x,y`. */
    function cellsIn(result: GridResult): Map<string, number> {
      const [x, y, counts] = [numbers(result, "x"), numbers(result, "y"), numbers(result, "rows")];
      return new Map(x.map((column, index) => [`${column},${y[index]}`, counts[index] ?? 0]));
    }

    const countWithin = async (box: Box): Promise<number> => {
      const query = { ...everything, conditions: [boxCondition(box)] };
      return Number((await subject.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], query, call))[0]?.[0]);
    };

    describe("a grid of the world", () => {
      it("counts each place once, and names the rows that are none", async () => {
        for (const level of [0, 1, 4, 9]) {
          const result = await grid(level);
          const places = rows.filter(isPlace);
          const numbered = rows.filter(({ lat, lng }) => Number.isFinite(lat) && Number.isFinite(lng)).length;
          expect(result).toMatchObject({ placed: places.length, missing: rows.length - numbered, outOfRange: numbered - places.length });
          expect(result.polar).toBe(places.filter(({ lat }) => Math.abs(lat ?? 0) > 85.0511287798066).length);
          expect([...cellsIn(result).values()].reduce((sum, count) => sum + count, 0)).toBe(places.length);
        }
      });

      it("is ordered from north to south, then eastward, and four cells make one of the level above", async () => {
        const [coarse, fine] = await Promise.all([grid(5), grid(6)]);
        const keys = numbers(fine, "y").map((y, index) => (y ?? 0) * 64 + (numbers(fine, "x")[index] ?? 0));
        expect(keys).toEqual(keys.toSorted((one, other) => one - other));
        const parents = new Map<string, number>();
        for (const [cell, count] of cellsIn(fine)) {
          const parent = cell
            .split(",")
            .map((place) => Number(place) >> 1)
            .join(",");
          parents.set(parent, (parents.get(parent) ?? 0) + count);
        }
        expect(parents).toEqual(cellsIn(coarse));
      });

      it("has in each cell the rows of its box", async () => {
        for (const level of [0, 1, 3, 6, 9]) {
          for (const [cell, count] of cellsIn(await grid(level))) {
            const [left = 0, top = 0] = cell.split(",").map(Number);
            const box = cellBox({ left, top, columns: 1, rows: 1 }, level);
            expect([level, cell, rows.filter((row) => isWithin(row, box)).length]).toEqual([level, cell, count]);
          }
        }
      });
    });

    describe("a grid of a view", () => {
      const views: readonly Box[] = [
        [-110, 5, -5, 53],
        [170, -20, 200, 20],
        [-180, -90, 180, 90],
        [100, 60, 100, 60],
        [0, 80, 90, 90],
        [-180, -90, -90, -80],
        [30, -40, 390, 10],
      ];

      it.each(views)("%d, %d, %d, %d has the cells of the world that cover it", async (...view) => {
        for (const level of [2, 5, 8]) {
          const cells = cellsOfBox(view, level);
          const box = cellBox(cells, level);
          const result = await grid(level, cells);
          expect(result.placed).toBe(rows.filter((row) => isWithin(row, box)).length);
          expect(result.placed).toBe(await countWithin(box));
          const count = cellsAcross(level);
          const ofWorld = [...cellsIn(await grid(level))].filter(([cell]) => {
            const [x = 0, y = 0] = cell.split(",").map(Number);
            return (x - cells.left + count) % count < cells.columns && y >= cells.top && y < cells.top + cells.rows;
          });
          expect([...cellsIn(result)]).toEqual(ofWorld);
        }
      });

      it("shares no row with the view beside it", async () => {
        for (const edge of [-90, 0, 90, 180]) {
          const [one, other] = [await countWithin([edge - 45, -30, edge, 30]), await countWithin([edge, -30, edge + 45, 30])];
          expect(one + other).toBe(await countWithin([edge - 45, -30, edge + 45, 30]));
        }
      });
    });

    describe("a measure", () => {
      it("has the value of each cell and how many rows have one", async () => {
        for (const type of ["avg", "sum", "min", "max"] as const) {
          const result = await grid(1, null, { type, column: "value" });
          const [x, y] = [numbers(result, "x"), numbers(result, "y")];
          for (const [index, value] of numbers(result, "value").entries()) {
            const box = cellBox({ left: x[index] ?? 0, top: y[index] ?? 0, columns: 1, rows: 1 }, 1);
            const values = rows.flatMap((row) => (isWithin(row, box) && Number.isFinite(row.value ?? Number.NaN) ? [row.value ?? 0] : []));
            const sum = values.reduce((total, one) => total + one, 0);
            const expected = { avg: sum / values.length, sum, min: Math.min(...values), max: Math.max(...values) }[type];
            expect(value).toBeCloseTo(expected, 6);
            expect(numbers(result, "counted")[index]).toBe(values.length);
          }
        }
      });

      it("is null where no row has a value", async () => {
        const cells: CellRange = cellsOfBox([180, 0, 180, 0], 20);
        const result = await grid(20, cells, { type: "avg", column: "value" });
        expect(numbers(result, "value").every((value, index) => (value === null) === (numbers(result, "counted")[index] === 0))).toBe(true);
      });
    });

    describe("a grid in steps of time", () => {
      const edges = (first: number, count: number, next: (index: number) => number) =>
        Array.from({ length: count + 1 }, (_, n) => next(first + n));
      const months = edges(0, 8, (month) => Date.UTC(2023, month, 1));
      const days = edges(1, 120, (day) => Date.UTC(2023, 0, day));
      const asked = (edgesMs: readonly number[], maxFrames = 250_000) => ({ column: "time", edgesMs, maxFrames });

      const stepOf = (edgesMs: readonly number[], { time }: Row): number | "untimed" | "elsewhen" => {
        if (time === null) return "untimed";
        const step = edgesMs.findLastIndex((edge) => edge <= time);
        return step < 0 || step === edgesMs.length - 1 ? "elsewhen" : step;
      };

      function stepsIn({ time }: GridResult): GridSteps {
        if (time === undefined || time === "too-many") throw new Error("The grid has no steps.");
        return time;
      }
      const framesIn = ({ frames }: GridSteps) =>
        frames.flatMap((part) => {
          const column = (text = "") => JSON.parse(`[${text}]`) as number[];
          const [cell, bucket, counts, counted, value] = [part.cell, part.bucket, part.rows, part.counted, part.value].map(column);
          return (cell ?? []).map((place, index) => ({
            cell: place,
            bucket: bucket?.[index] ?? 0,
            rows: counts?.[index],
            counted: counted?.[index],
            value: value?.[index],
          }));
        });

      it.each([
        ["months", months, null],
        ["days", days, null],
        ["months in a view", months, [-110, 5, -5, 53] as const],
        ["days across the antimeridian", days, [170, -20, 200, 20] as const],
      ] as const)("has the rows of each cell in %s, and names those without a time and elsewhen", async (_, edgesMs, view) => {
        for (const level of [1, 4]) {
          const cells = view === null ? null : cellsOfBox(view, level);
          const plain = await grid(level, cells);
          const result = await grid(level, cells, null, asked(edgesMs));
          const { time, ...counted } = result;
          expect(counted).toEqual(plain);
          const steps = stepsIn(result);
          const boxes = [...cellsIn(plain).keys()].map((cell) => {
            const [left = 0, top = 0] = cell.split(",").map(Number);
            return cellBox({ left, top, columns: 1, rows: 1 }, level);
          });
          const expected = boxes.flatMap((box, cell) => {
            const bySteps = rows.filter((row) => isWithin(row, box)).map((row) => stepOf(edgesMs, row));
            return edgesMs.flatMap((_edge, bucket) => {
              const count = bySteps.filter((step) => step === bucket).length;
              return count === 0 ? [] : [{ cell, bucket, rows: count, counted: undefined, value: undefined }];
            });
          });
          expect(framesIn(steps)).toEqual(expected);
          expect(steps.rows).toEqual(
            edgesMs.slice(1).map((_edge, bucket) => expected.reduce((sum, frame) => sum + (frame.bucket === bucket ? frame.rows : 0), 0)),
          );
          expect(steps.rows.reduce((sum, count) => sum + count, 0) + steps.untimed + steps.elsewhen).toBe(result.placed);
          const within = rows.filter((row) => (cells === null ? isPlace(row) : isWithin(row, cellBox(cells, level))));
          for (const name of ["untimed", "elsewhen"] as const) {
            expect([name, steps[name]]).toEqual([name, within.filter((row) => stepOf(edgesMs, row) === name).length]);
          }
          expect(time).toBe(steps);
        }
      });

      it("has the value of each cell and step, of an average its sum, which add up to the cell", async () => {
        for (const type of ["avg", "sum", "min", "max"] as const) {
          const measure = { type, column: "value" } as const;
          const result = await grid(1, null, measure, asked(months));
          const { time, ...counted } = result;
          expect(time).toBeDefined();
          expect(counted).toEqual(await grid(1, null, measure));
          const [x, y] = [numbers(result, "x"), numbers(result, "y")];
          for (const frame of framesIn(stepsIn(result))) {
            const box = cellBox({ left: x[frame.cell] ?? 0, top: y[frame.cell] ?? 0, columns: 1, rows: 1 }, 1);
            const found = rows.filter((row) => isWithin(row, box) && stepOf(months, row) === frame.bucket);
            const values = found.flatMap(({ value }) => (Number.isFinite(value ?? Number.NaN) ? [value ?? 0] : []));
            const sum = values.reduce((total, one) => total + one, 0);
            const expected = { avg: sum, sum, min: Math.min(...values), max: Math.max(...values) }[type];
            expect([frame.rows, frame.counted]).toEqual([found.length, values.length]);
            expect(frame.value ?? Infinity).toBeCloseTo(values.length === 0 ? Infinity : expected, 6);
          }
        }
      });

      it("answers no steps if more cells and steps have rows than allowed", async () => {
        const { frames } = stepsIn(await grid(4, null, null, asked(months)));
        const filled = frames.reduce((sum, { bucket }) => sum + bucket.split(",").length, 0);
        expect(await grid(4, null, null, asked(months, filled))).toMatchObject({ time: { untimed: expect.any(Number) as number } });
        expect((await grid(4, null, null, asked(months, filled - 1))).time).toBe("too-many");
      });
    });

    describe("rows instead of cells", () => {
      it("are those of the view, with the columns that were asked for", async () => {
        const box: Box = [-110, 5, -5, 53];
        const found = rows.filter((row) => isWithin(row, box)).length;
        const query = { ...everything, conditions: [boxCondition(box)] };
        const all = await subject.engine.gridRows(dataset, ["lat", "lng"], { ...query, limit: found }, call);
        const shown = await rowsOf(all);
        expect(shown).toHaveLength(found);
        expect(Object.keys(shown[0] ?? {})).toEqual(["lat", "lng"]);
        await expect(all.hasMore).resolves.toBe(false);
        const some = await subject.engine.gridRows(dataset, ["lat", "lng"], { ...query, limit: found - 1 }, call);
        await rowsOf(some);
        await expect(some.hasMore).resolves.toBe(true);
      });
    });
  });
}
