import type { ExportManifest } from "@fairway/contract/exports";
import { describe, expect, it } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { exportsApp, narrowed } from "#testing/exports-app.ts";
import { sheetRows } from "#testing/workbooks.ts";

const app = await exportsApp();

describe("an export as XLSX", () => {
  it("contains the requested columns in order, with formulas as texts", async () => {
    const body = { format: "xlsx", search: narrowed, columns: ["place", "name", "at", "real"] };
    const { state, file } = await app.exportFile(await app.open(), body);
    const rows = (await app.searchRows(narrowed)).map(({ real, id, name, at }) => [
      `${String(real)}, ${String(id)}`,
      name,
      new Date(Number(at)).toISOString(),
      real,
    ]);
    const { hucre, sheetJs } = await sheetRows(file.bytes);
    expect(sheetJs).toEqual([["place", "name", "at", "real"], ...rows]);
    expect(hucre).toEqual(sheetJs);
    expect(state).toMatchObject({ status: "done", rows: 480, totalRows: 480, cut: false, file: { name: "Tests_rows.xlsx" } });
    expect(file.headers).toMatchObject({
      "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "content-disposition": `attachment; filename="Tests_rows.xlsx"; filename*=UTF-8''Tests_rows.xlsx`,
    });
  });

  it("says on its second sheet where its rows come from", async () => {
    const gateway = await app.open();
    const search = { ...narrowed, filters: [{ name: "at", operator: ">", value: 1_577_836_920_000 }] };
    const { exportId, file } = await app.exportFile(gateway, { format: "xlsx", search }, "rows");
    const { sheetJs } = await sheetRows(file.bytes, 1);
    expect(sheetJs).toEqual([
      ["Dataset", "Tests / rows"],
      ["Filters", "at > 2020-01-01T00:02:00.000Z"],
      ["Time range", "2020-01-01T00:01:00Z to 2020-01-01T00:11:00Z"],
      ["Order", "real, ascending"],
      ["Zone of times", "UTC"],
      ["Rows", "540"],
      ["Written", expect.stringMatching(/^\d{4}-.+Z$/)],
      ["By", "ada's name"],
      ["Address", expect.stringMatching(/^https:\/\/portal\.test\/.+#1\./)],
    ]);
    const { body } = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
    expect(body).toMatchObject({ format: "xlsx", rows: 540, cutTexts: 0, columns: ["id", "name", "real", "at", "place"] });
  });

  it("of more rows than a sheet holds is refused before it starts", async () => {
    const counted = (real: QueryEngine) => Object.create(real, { aggregate: { value: async () => [[3_000_000]] } }) as QueryEngine;
    const gateway = await app.open({ engine: counted });
    const { status, body } = await app.requestExport(gateway, "ada", { format: "xlsx" });
    const message = "3,000,000 rows match; a sheet holds 1,048,575. Export CSV or Parquet, or narrow the search.";
    expect([status, body]).toEqual([400, { errors: [{ code: "not-supported", message, path: "format" }] }]);
  });

  it("is cut at the operator's limit, which its second sheet says", async () => {
    const gateway = await app.open({ limits: { exportMaxRows: 300 } });
    const sentences = {
      rows: "1,000 rows match. The file has the first 300.",
      uncounted: "More rows match. The file has the first 300.",
    };
    for (const [id, sentence] of Object.entries(sentences)) {
      const { state, file } = await app.exportFile(gateway, { format: "xlsx" }, id);
      expect(state).toMatchObject({ rows: 300, cut: true, file: { name: `Tests_${id}-cut.xlsx` } });
      expect((await sheetRows(file.bytes)).sheetJs).toHaveLength(301);
      expect((await sheetRows(file.bytes, 1)).sheetJs).toContainEqual(["Cut", sentence]);
    }
  });

  it("can hold the groups of a breakdown", async () => {
    const gateway = await app.open();
    const by = [{ kind: "value", column: "name", top: { count: 2 } }];
    const breakdown = { search: {}, by, measures: [{ aggregation: "count", id: "rows" }] };
    const body = { format: "xlsx", breakdown };
    const started = await app.call<{ exportId: string }>(gateway, "ada", "POST", "/datasets/Tests/rows/breakdown/export", body);
    expect(started.status).toBe(202);
    const { exportId } = started.body;
    await app.waitForEnd(gateway, "ada", exportId);
    const { bytes } = await app.call(gateway, "ada", "GET", `/exports/${exportId}/file`);
    const { sheetJs } = await sheetRows(bytes);
    expect(sheetJs[0]?.slice(0, 2)).toEqual(["name", "rows"]);
    expect(sheetJs.slice(1).every(([, rows]) => rows === 200)).toBe(true);
    expect((await sheetRows(bytes, 1)).sheetJs).toContainEqual(["Content", "Groups of its rows with their figures"]);
  });
});
