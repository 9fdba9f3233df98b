import type { ErrorBody } from "@fairway/contract/errors";
import type { ExportManifest } from "@fairway/contract/exports";
import { describe, expect, it } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { addDataset } from "#testing/dataset-app.ts";
import { everyForm, filteredDataset, filteredRows } from "#testing/filter-forms.ts";
import { BlockedExports, exportsApp, narrowed, noFiles } from "#testing/exports-app.ts";

const app = await exportsApp();

describe("an export", () => {
  it("as JSON contains the rows of the search with every column", async () => {
    const { state, file } = await app.exportFile(await app.open(), { format: "json", search: narrowed });
    const rows = await app.searchRows(narrowed);
    expect(rows).toHaveLength(480);
    expect(file.body).toEqual(rows);
    expect(state).toMatchObject({ status: "done", rows: 480, totalRows: 480, cut: false, failure: null });
    expect(file.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="Tests_rows.json"; filename*=UTF-8''Tests_rows.json`,
      "content-length": String(file.bytes.length),
    });
    expect(state.file).toEqual({ name: "Tests_rows.json", bytes: file.bytes.length });
  });

  it("as CSV contains the requested columns in order, with formulas escaped", async () => {
    const { file } = await app.exportFile(await app.open(), { format: "csv", search: narrowed, columns: ["place", "name", "at"] });
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = (await app.searchRows(narrowed)).map(({ real, id, name, at }) =>
      [`${String(real)}, ${String(id)}`, name === "=cmd" ? "'=cmd" : ((name as string | null) ?? ""), new Date(Number(at)).toISOString()]
        .map(quoted)
        .join(","),
    );
    expect(file.text).toBe(["place,name,at", ...lines, ""].join("\r\n"));
    expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  });

  it("as CSV contains every column of the description by default", async () => {
    const { file } = await app.exportFile(await app.open(), { format: "csv" });
    expect(file.text.split("\r\n")[0]).toBe("id,name,real,at,place");
    expect(file.text.split("\r\n")).toHaveLength(1_002);
  });

  it("as CSV has the labels of its columns in the first line if the caller asks for them, each only once", async () => {
    const source = { kind: "files", glob: "labeled.parquet", format: "parquet" } as const;
    await app.base.bench.prepare(
      "copy (select 1::bigint as id, 2::bigint as other, 3::bigint as plain) to 'FOLDER/labeled.parquet' (format parquet)",
    );
    const column = (name: string, label?: string) => ({
      name,
      type: "integer" as const,
      description: "",
      combined: null,
      ...(label === undefined ? {} : { label }),
    });
    const schema = { columns: [column("id", "=Number"), column("other", "=Number"), column("plain")] };
    await addDataset(app.base, { id: "labeled", category: "Tests", schema, source });
    const gateway = await app.open();
    const labeled = await app.exportFile(gateway, { format: "csv", labels: true }, "labeled");
    expect(labeled.file.text).toBe("'=Number,'=Number (2),plain\r\n1,2,3\r\n");
    const named = await app.exportFile(gateway, { format: "csv" }, "labeled");
    expect(named.file.text).toBe("id,other,plain\r\n1,2,3\r\n");
  });

  it("has the rows of every form of filter, as its manifest says them", async () => {
    const source = { kind: "files", glob: "forms.parquet", format: "parquet" } as const;
    await app.base.bench.prepare(`copy (${filteredRows}) to 'FOLDER/forms.parquet' (format parquet)`);
    await addDataset(app.base, { ...filteredDataset, id: "forms", source });
    const { filters, rows } = everyForm;
    const gateway = await app.open();
    const { exportId, state, file } = await app.exportFile(gateway, { format: "json", search: { filters } }, "forms");
    expect([state.rows, file.body.map(({ id }) => id)]).toEqual([rows, (await app.searchRows({ filters }, "forms")).map(({ id }) => id)]);
    const { body } = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
    expect(body).toMatchObject({ query: { filters }, rows });
  });

  it("is described by a manifest", async () => {
    const gateway = await app.open();
    const search = { filters: [{ name: "real", operator: "<", value: 50 }] };
    const { exportId, state } = await app.exportFile(gateway, { format: "csv", search, columns: ["name", "place"] }, "filtered");
    const response = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
    expect(response.headers["content-disposition"]).toMatch(/filename="Tests_filtered\.manifest\.json"/);
    expect(response.body).toEqual({
      exportId,
      dataset: { datasetCategory: "Tests", datasetId: "filtered" },
      format: "csv",
      columns: ["name", "place"],
      query: search,
      preFilledFilters: [{ name: "id", operator: ">=", value: 10 }],
      user: "ada's name",
      startedAt: expect.stringMatching(/^\d{4}-.+Z$/),
      finishedAt: expect.stringMatching(/^\d{4}-.+Z$/),
      runMs: expect.any(Number),
      rows: 190,
      totalRows: 190,
      cut: false,
      maxRows: 10_000_000,
      file: state.file,
    });
    const { startedAt, finishedAt, runMs } = response.body;
    expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBe(runMs);
  });

  it("has a time range with both ends in its manifest, also if its search left one open", async () => {
    const gateway = await app.open();
    const start = "2020-01-01T00:01:00Z";
    const { exportId } = await app.exportFile(gateway, { format: "csv", search: { timeRange: { start }, filters: [] } });
    const { body } = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
    expect(body.query.timeRange).toEqual({ start, end: "9999-12-31T23:59:59.999Z" });
  });

  it("is cut at the operator's limit, which its state, file name and manifest show", async () => {
    const gateway = await app.open({ limits: { exportMaxRows: 300 } });
    for (const id of ["rows", "uncounted"]) {
      const { exportId, state, file } = await app.exportFile(gateway, { format: "json" }, id);
      expect(state).toMatchObject({
        rows: 300,
        totalRows: id === "rows" ? 1_000 : null,
        cut: true,
        file: { name: `Tests_${id}-cut.json` },
      });
      expect(file.headers["content-disposition"]).toContain(`"Tests_${id}-cut.json"`);
      expect(file.body).toEqual((await app.searchRows({}, id)).slice(0, 300));
      const manifest = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
      expect(manifest.body).toMatchObject({ rows: 300, cut: true, maxRows: 300 });
      expect(manifest.headers["content-disposition"]).toContain(`"Tests_${id}-cut.manifest.json"`);
    }
  });

  it("states why it failed, leaves no file and does not block the next one", async () => {
    const gateway = await app.open();
    const { state, file } = await app.exportFile(gateway, { format: "csv" }, "gone");
    const failure = "The dataset 'gone' cannot be searched now: its data files are missing. Tell an administrator.";
    expect(state).toMatchObject({ status: "failed", failure, file: null });
    expect(file.status).toBe(409);
    expect([await app.files(), gateway.counters.failures]).toEqual([noFiles, 1]);
    const changeOf = (exportId: string) => ({ topic: "exports", id: exportId, audience: { users: ["ada"] } });
    expect(gateway.reported.take()).toEqual([changeOf(state.exportId), changeOf(state.exportId)]);
    const next = await app.exportFile(gateway, { format: "csv" });
    expect(next.state.status).toBe("done");
    // The start and the end, and progress in between where it takes a moment.
    expect(gateway.reported.take().slice(-2)).toEqual([changeOf(next.exportId), changeOf(next.exportId)]);
  });

  it("is stopped with a failure message when it takes too long", async () => {
    const blocked = new BlockedExports();
    const { state } = await app.exportFile(await app.open({ limits: { exportTimeoutMs: 300 }, engine: blocked.engine }), { format: "csv" });
    expect(blocked.interrupted).toBe(1);
    expect(state.status).toBe("failed");
    expect(state.failure).toBe("The export took longer than 0.3 s and was stopped. Narrow it with a time range or more filters.");
    expect(await app.files()).toEqual(noFiles);
  });

  it("is stopped with a failure message when it exceeds the storage limit", async () => {
    const gateway = await app.open({ limits: { exportFilesBytes: 10_000 } });
    const { state } = await app.exportFile(gateway, { format: "csv" });
    expect(state).toMatchObject({ status: "failed", failure: expect.stringContaining("storage for exports is full") });
    expect(await app.files()).toEqual(noFiles);
  });

  it("increments the counters of rows and bytes", async () => {
    const gateway = await app.open();
    const { state } = await app.exportFile(gateway, { format: "csv" });
    expect(gateway.counters).toEqual({ rows: 1_000, bytes: state.file?.bytes, failures: 0 });
  });
});

describe("starting an export refuses", () => {
  const refused = async (body: object, id = "rows", userId = "ada") => {
    const response = await app.requestExport(await app.open(), userId, body, id);
    return [response.status, ...(response.body as unknown as ErrorBody).errors.map(({ code, path }) => `${code} ${path ?? ""}`.trim())];
  };

  it.each([
    ["an unknown format", { format: "ods" }, "invalid-request format"],
    ["paging", { format: "csv", search: { paging: { offset: 0, max: 5 } } }, "not-supported search.paging"],
    [
      "an unknown column in a filter",
      { format: "csv", search: { filters: [{ name: "x", operator: "=", value: 1 }] } },
      "unknown-column search.filters.0.name",
    ],
    ["an unknown column", { format: "csv", columns: ["id", "x"] }, "unknown-column columns.1"],
    ["a duplicate column", { format: "csv", columns: ["id", "id"] }, "invalid-request columns.1"],
    ["an empty list of columns", { format: "csv", columns: [] }, "invalid-request columns"],
    ["labels for JSON", { format: "json", labels: true }, "not-supported labels"],
    ["a choice of columns for JSON", { format: "json", columns: ["id"] }, "not-supported columns"],
    [
      "an area if the dataset has no location",
      { format: "csv", search: { geospatial: { polygons: ["0 0, 1 0, 1 1, 0 0"], antimeridianPolygons: false } } },
      "not-supported search.geospatial",
    ],
  ])("%s", async (_what, body, problem) => {
    expect(await refused(body)).toEqual([400, problem]);
  });

  it("a dataset whose engine does not support exports", async () => {
    const gateway = await app.open({ engine: (real) => Object.create(real, { export: { value: undefined } }) as QueryEngine });
    const response = await app.requestExport(gateway, "ada", { format: "csv" });
    expect([response.status, response.body]).toMatchObject([400, { errors: [{ code: "not-supported" }] }]);
  });

  it("an unknown dataset and one the user may not read with the same response", async () => {
    expect(await refused({ format: "csv" }, "nothing")).toEqual([404, "not-found"]);
    expect(await refused({ format: "csv" }, "secret: *")).toEqual([404, "not-found"]);
  });
});
