import { type Box, type CellRange, cellBox, cellsOfBox } from "@fairway/contract/grid-cells";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import type { MapQueries, QueryableDataset, TracksRequest } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import type { SqlEngineUnderTest } from "#testing/sql-engine-suite.ts";

const call = engineCall();
const location = { latitude: "lat", longitude: "lng" };
const everything = { timeRange: null, area: null, conditions: [] };

interface Row {
  readonly item: string;
  /** Different for all rows of an item. */
  readonly time: number;
  readonly lat: number;
  readonly lng: number;
  readonly name: string | null;
  readonly value: number | null;
}

/** Items of different lengths that wander around the Earth, with a value that is often missing, and one with none at all. */
function wanderingRows(): Row[] {
  let state = 11;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: 12 }, (_, item) => item).flatMap((item) => {
    let [lat, lng] = [next() * 120 - 60, next() * 360 - 180];
    const length = item === 0 ? 1 : 20 + item * 25;
    const startMs = (item % 2 === 0 ? -1 : 1) * item * 86_400_000;
    return Array.from({ length }, (_step, index) => {
      lat = Math.max(-89, Math.min(89, lat + next() * 4 - 2));
      lng = ((((lng + next() * 6 - 2 + 180) % 360) + 360) % 360) - 180;
      const isMissing = item === 3 || next() < 0.2;
      return {
        item: `item ${item}`,
        time: startMs + index * 61_000 + Math.floor(next() * 60_000),
        lat: Math.round(lat * 1e6) / 1e6,
        lng: Math.round(lng * 1e6) / 1e6,
        name: isMissing ? null : `name ${index}`,
        value: isMissing ? (item % 2 === 0 ? Number.NaN : null) : Math.round(next() * 30) / 2,
      };
    });
  });
}
const rows: readonly Row[] = wanderingRows();

const select = (): string => {
  const number = (value: number | null) => (value === null ? "null" : `'${value}'`);
  const text = (value: string | null) => (value === null ? "null" : `'${value}'`);
  const values = rows.map(
    ({ item, time, lat, lng, name, value }) => `('${item}', ${time}, ${[lat, lng, value].map(number).join(", ")}, ${text(name)})`,
  );
  const columns = `item, cast("time" as bigint) as "time", cast(lat as double) as lat, cast(lng as double) as lng, cast(num as double) as num, name`;
  return `select ${columns} from (values ${values.join(", ")}) as places(item, "time", lat, lng, num, name)`;
};

/** By comparing with edges only. */
function isWithin({ lat, lng }: Row, [west, south, east, north]: Box): boolean {
  const isEast = east - west >= 360 || [-360, 0, 360].some((turn) => lng >= west + turn && lng < east + turn);
  return isEast && lat >= south && lat < north;
}

function groupsOf(some: readonly Row[], keyOfRow: (row: Row) => string | number): Row[][] {
  const groups = new Map<string | number, Row[]>();
  for (const row of some) groups.set(keyOfRow(row), [...(groups.get(keyOfRow(row)) ?? []), row]);
  return [...groups.values()];
}
const items = groupsOf(rows, ({ item }) => item);

/** The rows of each item, by parts of its time. */
function partsOf(parts: number): Row[][] {
  return items.flatMap((ofItem) => {
    const [first, last] = [Math.min, Math.max].map((pick) => pick(...ofItem.map(({ time }) => time))) as [number, number];
    const partOf = ({ time }: Row) => (last > first ? Math.floor(((time - first) / (last - first)) * parts) : 0);
    return groupsOf(ofItem, partOf);
  });
}

const keyOf = ({ item, time }: Pick<Row, "item" | "time">): string => `${item} ${time}`;
const firstOf = (some: readonly Row[]): Row | undefined => some.toSorted((one, other) => one.time - other.time)[0];
/** The least and the greatest value; infinite without any. */
function endsOf(some: readonly Row[]): [number, number] {
  const numbers = some.flatMap(({ value }) => (Number.isFinite(value) ? [value ?? 0] : []));
  return [Math.min(...numbers), Math.max(...numbers)];
}

type Subject = Pick<SqlEngineUnderTest, "store" | "close"> & {
  readonly engine: { readonly maps: Pick<MapQueries, "tracks"> };
};

/** Tests of tracks with values and of their refinement, for every SQL engine, against plain JavaScript. */
export function describeTracks(name: string, open: () => Promise<Subject>): void {
  describe(`tracks of ${name}`, { timeout: 300_000 }, () => {
    let subject: Subject;
    let dataset: QueryableDataset;
    beforeAll(async () => {
      subject = await open();
      const source = await subject.store("wandering", select());
      const columns = { item: "STRING", time: "TIMESTAMP_MILLS", lat: "decimal", lng: "decimal", num: "decimal", name: "STRING" } as const;
      dataset = { ...datasetOver("", columns), source };
    }, 180_000);
    afterAll(() => subject.close());

    const ask = async (more: Partial<TracksRequest>): Promise<{ found: Row[]; hasMore: boolean; names: string[] }> => {
      const request = { item: "item", time: "time", location, points: 100_000, perTrack: { min: 20, max: 30 }, ...more };
      const stream = await subject.engine.maps.tracks(dataset, request, everything, call);
      const answered = await rowsOf(stream);
      const found = answered.map(({ num, ...row }) => ({ ...row, value: num }) as unknown as Row);
      return { found, hasMore: await stream.hasMore, names: Object.keys(answered[0] ?? {}) };
    };

    const values = ["name", "num"];

    /** Each is a row of the source, and none is there twice. */
    function expectRows(found: readonly Row[]): void {
      const bySource = new Map(rows.map((row) => [keyOf(row), { ...row, value: Number.isFinite(row.value) ? row.value : null }]));
      for (const row of found) expect(row).toEqual(bySource.get(keyOf(row)));
      expect(new Set(found.map(keyOf)).size).toBe(found.length);
    }

    /** The first row of each part, and rows with its least and its greatest value; nothing else unless `others`. */
    function expectParts(found: readonly Row[], parts: number, others: ReadonlySet<string> = new Set()): void {
      const keys = new Set(found.map(keyOf));
      const expected = new Set(others);
      for (const part of partsOf(parts)) {
        const first = firstOf(part);
        const shown = part.filter((row) => keys.has(keyOf(row)));
        const [least, greatest] = endsOf(part);
        expect(shown).toContain(first);
        expect(endsOf(shown)).toEqual([least, greatest]);
        const isKnown = (row: Row) => row === first || row.value === least || row.value === greatest;
        const own = shown.filter((row) => !others.has(keyOf(row)));
        expect(own.length).toBeLessThanOrEqual(3);
        for (const row of shown) if (isKnown(row)) expected.add(keyOf(row));
      }
      expect(keys).toEqual(expected);
    }

    it("have the values of each row, and in each part the rows with the least and the greatest number", async () => {
      const { found, hasMore, names } = await ask({ values });
      expect(names).toEqual(["item", "time", "lat", "lng", "name", "num"]);
      expect(hasMore).toBe(false);
      expectRows(found);
      expectParts(found, 10);
    });

    it("keep the first and the last row of every item", async () => {
      const { found } = await ask({ values, points: 12 * 20 });
      for (const ofItem of items) {
        const keys = found.filter(({ item }) => item === ofItem[0]?.item).map(({ time }) => time);
        for (const pick of [Math.min, Math.max]) expect(keys).toContain(pick(...ofItem.map(({ time }) => time)));
      }
    });

    it("have as many parts as without values if no value is a number", async () => {
      const { found, names } = await ask({ values: ["name"] });
      expect(names).toEqual(["item", "time", "lat", "lng", "name"]);
      expect(found.map(keyOf).toSorted()).toEqual(
        partsOf(30)
          .flatMap((part) => firstOf(part) ?? [])
          .map(keyOf)
          .toSorted(),
      );
    });

    const views: readonly Box[] = [
      [-180, -85, 180, 85],
      [-60, -30, 60, 30],
      [150, -40, 230, 40],
      [10, 10, 10, 10],
    ];

    /** The first row of every cell and part within the view. */
    function firstOfCells(level: number, cells: CellRange, parts: number): Set<string> {
      const keys = new Set<string>();
      for (let column = 0; column < cells.columns; column++) {
        for (let row = 0; row < cells.rows; row++) {
          const box = cellBox({ left: cells.left + column, top: cells.top + row, columns: 1, rows: 1 }, level);
          for (const part of partsOf(parts)) {
            const first = firstOf(part.filter((one) => isWithin(one, box)));
            if (first !== undefined) keys.add(keyOf(first));
          }
        }
      }
      return keys;
    }

    it.each(views)("are refined in %d, %d, %d, %d by the first row of each cell and part", async (...view) => {
      for (const level of [3, 5]) {
        const cells = cellsOfBox(view, level);
        const refined = { level, cells };
        const plain = await ask({ refined });
        const ofCells = firstOfCells(level, cells, 30);
        const firsts = partsOf(30).flatMap((part) => firstOf(part) ?? []);
        expect(new Set(plain.found.map(keyOf))).toEqual(new Set([...firsts.map(keyOf), ...ofCells]));
        expect([plain.found.length, plain.hasMore]).toEqual([new Set(plain.found.map(keyOf)).size, false]);
        const valued = await ask({ refined, values });
        expectRows(valued.found);
        expectParts(valued.found, 10, firstOfCells(level, cells, 10));
      }
    });

    it("leave out rows of cells only, and say so, where the points do not suffice", async () => {
      const refined = { level: 12, cells: cellsOfBox([-180, -85, 180, 85], 12) };
      const few = { points: 12 * 20, perTrack: { min: 20, max: 20 }, values };
      const base = await ask(few);
      const cut = await ask({ ...few, refined });
      expect([base.hasMore, cut.hasMore]).toEqual([false, true]);
      expect(cut.found.length).toBeGreaterThan(base.found.length);
      const keys = new Set(cut.found.map(keyOf));
      for (const part of partsOf(6)) expect(keys).toContain(keyOf(firstOf(part) as Row));
      for (const part of partsOf(6)) {
        const shown = part.filter((row) => keys.has(keyOf(row)));
        expect(endsOf(shown)).toEqual(endsOf(part));
      }
    });
  });
}
