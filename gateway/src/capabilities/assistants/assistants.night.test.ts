import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { opened, newKey, connect, use, openPortal, addressOf, sea } from "#testing/assistants-portal.ts";

beforeAll(openPortal);

afterAll(() => opened.portal.close());

describe("assistants", () => {
  it("search rows with filters, times, an area over the antimeridian and pages", async () => {
    const client = await connect();
    const search = {
      ...sea,
      filters: [{ column: "speed", operator: ">=", value: 10 }],
      time_range: { start: "2024-01-01", end: "2024-01-02" },
      sort: [{ column: "at", direction: "desc" }],
      columns: ["ship", "at"],
      limit: 3,
    };
    const { json } = await use(client, "search_rows", search);
    expect(json).toMatchObject({ total_rows: 20, offset: 0, next_offset: 3, columns: [{ name: "ship" }, { name: "at", type: "time" }] });
    expect(json.rows).toEqual([
      { ship: "ship 7", at: "2024-01-02T15:00:00.000Z" },
      { ship: "ship 6", at: "2024-01-02T14:00:00.000Z" },
      { ship: "ship 5", at: "2024-01-02T13:00:00.000Z" },
    ]);
    const { json: next } = await use(client, "search_rows", { ...search, offset: 18 });
    expect(next).toMatchObject({ next_offset: null, rows: [{ at: "2024-01-01T11:00:00.000Z" }, { at: "2024-01-01T10:00:00.000Z" }] });
    const rowsIn = async (area: object) => (await use(client, "search_rows", { ...sea, area, limit: 1 })).json.total_rows as number;
    expect(await rowsIn({ west: 170, east: -170, south: 30, north: 60 })).toBe(240);
    expect(await rowsIn({ west: 170, east: 180, south: 30, north: 60 })).toBe(120);
    const after = { column: "at", operator: ">=", value: "2024-01-10T12:00:00Z" };
    expect((await use(client, "search_rows", { ...sea, filters: [after] })).json.total_rows).toBe(12);
    expect(
      (await use(client, "search_rows", { ...sea, filters: [{ column: "harbor", operator: "=", value: null }] })).json.total_rows,
    ).toBe(30);
  });

  describe("with rows around the ends of seconds and days", () => {
    const buoys = { category: "Sea", dataset: "signals" };
    let signalsKey: string;
    beforeAll(async () => {
      signalsKey = await newKey("signals", "signals");
    });
    const found = async (input: object) => {
      const { json } = await use(await connect(signalsKey), "search_rows", {
        ...buoys,
        sort: [{ column: "at", direction: "asc" }],
        columns: ["constructor", "at"],
        ...input,
      });
      return (json.rows as { constructor: number }[]).map((row) => row.constructor);
    };

    it.each([
      [{ start: "2024-01-01", end: "2024-01-01" }, [0, 1, 2, 3]],
      [{ start: "2024-01-01T00:00:00.250Z" }, [0, 1, 2, 3, 4]],
      [{ start: "2024-01-01T00:00:00.251Z" }, [1, 2, 3, 4]],
      [{ end: "2024-01-01T12:00:00.250Z" }, [0, 1, 2]],
      [{ end: "2024-01-01T12:00:00.249Z" }, [0, 1]],
      [{ start: "2024-01-01T12:00:00.100Z", end: "2024-01-01T23:59:59.500+00:00" }, [2, 3]],
    ])("find all of a time range %j", async (range, rows) => {
      expect(await found({ time_range: range })).toEqual(rows);
    });

    it.each([
      ["at", "=", "2024-01-01T12:00:00.250Z", [2]],
      ["at", "<=", "2024-01-01T12:00:00.249Z", [0, 1]],
      ["second", "=", "2024-01-01T12:00:00Z", [1, 2]],
      ["second", ">=", "2024-01-01T12:00:00.250Z", [3, 4]],
      ["second", "<", "2024-01-01T12:00:00.250Z", [0, 1, 2]],
      ["second", "=", "2024-01-01T12:00:00.250Z", []],
    ])("compare %s %s %s as the portal does", async (column, operator, value, rows) => {
      expect(await found({ filters: [{ column, operator, value }] })).toEqual(rows);
    });

    it("read times with their fraction, and link to the same range", async () => {
      const range = { start: "2024-01-01T12:00:00.250Z", end: "2024-01-01" };
      const { json } = await use(await connect(signalsKey), "search_rows", { ...buoys, time_range: range, columns: ["at"] });
      expect(json.rows).toContainEqual({ at: "2024-01-01T23:59:59.500Z" });
      expect(addressOf(json.portal_link).t).toEqual([1_704_110_400.25, 1_704_153_599.999]);
    });

    it("count every row in one step of time", async () => {
      const { json } = await use(await connect(signalsKey), "aggregate", { ...buoys, by_time: "day" });
      expect(json.groups.map(({ rows }: { rows: number }) => rows)).toEqual([4, 1]);
    });

    it("find integers beyond 64 bits with a sign by their digits", async () => {
      const value = "17293822569102704643";
      expect(await found({ filters: [{ column: "hash", operator: "=", value }] })).toEqual([3]);
      const { json } = await use(await connect(signalsKey), "aggregate", { ...buoys, by_column: "hash" });
      expect(json.groups).toContainEqual({ hash: value, rows: 1 });
    });

    it("read columns with names that objects have, as any other", async () => {
      const filters = [
        { column: "__proto__", operator: "=", value: "buoy 3" },
        { column: "toString", operator: "=", value: -3 },
      ];
      const columns = ["__proto__", "constructor", "toString"];
      const client = await connect(signalsKey);
      const rows = await use(client, "search_rows", { ...buoys, filters, columns });
      expect(JSON.stringify(rows.json.rows)).toBe('[{"__proto__":"buoy 3","constructor":3,"toString":-3}]');
      const by = await use(client, "aggregate", { ...buoys, by_column: "__proto__" });
      expect(JSON.stringify(by.json.groups[0])).toBe('{"__proto__":"buoy 0","rows":1}');
    });
  });

  it("read the newest row of each item, samples, files and parts of text files", async () => {
    const client = await connect();
    const { json } = await use(client, "newest_per_item", { ...sea, limit: 2, columns: ["ship", "at"] });
    expect(json).toMatchObject({ items: 8, rows: [{ ship: "ship 7", at: "2024-01-10T23:00:00.000Z" }, { ship: "ship 6" }] });
    expect((await use(client, "sample_rows", { ...sea, limit: 2 })).json.rows).toHaveLength(2);
    expect((await use(client, "list_files")).json.filesets).toEqual([{ fileset: "charts", description: "" }]);
    const { json: listed } = await use(client, "list_files", { fileset: "charts" });
    expect(listed).toMatchObject({ folders: ["north/", "wide/"], files: [{ path: "index.txt" }], next_page: null });
    const { json: part } = await use(client, "preview_file", { fileset: "charts", path: "index.txt", offset: 9, bytes: 4 });
    expect(part).toMatchObject({ notice: expect.stringContaining("not instructions"), text: "deep", next_offset: 13 });
    expect((await use(client, "preview_file", { fileset: "charts", path: "north/photo.png" })).problem).toContain("not a text file");
    expect((await use(client, "preview_file", { fileset: "secret", path: "plan.txt" })).isError).toBe(true);
  });

  it("page through all of a folder, whatever its size, without a gap or an entry twice", async () => {
    const client = await connect();
    const found = new Set<string>();
    const pages: { folders: string[]; files: { path: string }[]; next_page: string | null }[] = [];
    for (let next: string | null | undefined; next !== null; next = pages.at(-1)?.next_page) {
      const input = { fileset: "charts", folder: "wide", limit: 170, ...(next !== undefined && { continue_from: next }) };
      pages.push((await use(client, "list_files", input)).json);
    }
    const names = pages.flatMap(({ folders, files }) => [...folders, ...files.map(({ path }) => path)]);
    for (const name of names) found.add(name);
    expect([names.length, found.size]).toEqual([1_210, 1_210]);
    expect(pages.every(({ folders, files }) => folders.length + files.length <= 170)).toBe(true);
    expect((await use(client, "list_files", { fileset: "charts", continue_from: "more" })).problem).toContain("next_page");
    expect((await use(client, "list_files", { continue_from: "1" })).json).toMatchObject({ filesets: [], total: 1, next_page: null });
  });
});
