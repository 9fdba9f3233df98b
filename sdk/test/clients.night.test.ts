import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shownRows } from "@fairway/gateway/testing/arrow-table";
import { noteNotRun } from "@fairway/gateway/testing/not-run";
import { describe, expect, it, onTestFinished } from "vitest";
import { closedAddress, outcomeOf, temporaryFolder } from "./portal.ts";
import { installClients, runFairway } from "./installed-clients.ts";

const installed = installClients();

const root = join(import.meta.dirname, "../..");

describe("the command line", () => {
  const run = (...args: string[]) => runFairway(installed, args);
  const runWith = (env: NodeJS.ProcessEnv, ...args: string[]) => runFairway(installed, args, env);

  it("explains itself and refuses wrong arguments with 2", async () => {
    const [all, one, version, unknown, option, missing, noKey] = await Promise.all([
      run("--help"),
      run("search", "--help"),
      run("--version"),
      run("serch"),
      run("search", "Coast/tides", "--wher", "x"),
      run("files", "get", "inbox"),
      runWith({ FAIRWAY_API_KEY: "" }, "datasets"),
    ]);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("files put FILESET LOCAL...") });
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining("--where CONDITION") });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const wrong of [unknown, option, missing, noKey]) expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(noKey.stderr).toContain("Set FAIRWAY_API_KEY");
  });

  it("lists what it finds, boards and alerts", async () => {
    const [found, boards, alerts] = await Promise.all([
      run("find", "heights sea", "--format", "csv"),
      run("boards", "--format", "json"),
      run("alerts", "--format", "ndjson"),
    ]);
    expect(found.stdout).toContain("Coast/tides,Heights of the sea.");
    expect(JSON.parse(boards.stdout)).toMatchObject([{ board: "Harbor", owner: "root", panels: 2 }]);
    expect(JSON.parse(alerts.stdout)).toMatchObject({ alert: "High tide", dataset: "Coast/tides", reason: "" });
  });

  it("prints rows as table, CSV, JSON and NDJSON", async () => {
    const search = ["search", "Coast/tides", "--from", "2024-01-01T01:00", "--to", "2024-01-01T04:00", "--sort", "number:desc"];
    const two = [...search, "--where", "number>=3", "--columns", "number,harbor,time"];
    const [table, csv, json, ndjson, more, count, datasets] = await Promise.all([
      run(...two),
      run(...two, "--format", "csv"),
      run(...two, "--format", "json", "--iso-times"),
      run(...two, "--format", "ndjson"),
      run(...search, "--limit", "1", "--format", "csv"),
      run("count", "Coast/tides", "--where", "number<5"),
      run("datasets", "--format", "csv"),
    ]);
    expect(table.stdout.split("\n")).toEqual([
      "number  harbor         time",
      "------  -------------  ------------------------",
      '4       Dover, "Kent"  2024-01-01T04:00:00.000Z',
      "3       Brest�[2J      2024-01-01T03:00:00.000Z",
      "",
    ]);
    expect(csv.stdout.split("\r\n").slice(0, 2)).toEqual(["number,harbor,time", '4,"Dover, ""Kent""",1704081600']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ number: 4, time: "2024-01-01T04:00:00.000Z" }, { number: 3 }]);
    expect(JSON.parse(ndjson.stdout.split("\n")[1] ?? "")).toEqual({ number: 3, harbor: "Brest\u001b[2J", time: 1_704_078_000 });
    expect([more.stdout.split("\r\n").length, more.stderr]).toEqual([
      3,
      "Only the first 1 rows are shown: use --limit to get more, or --limit all.\n",
    ]);
    expect(count.stdout).toBe("5\n");
    expect(datasets.stdout).toBe("dataset,description\r\nCoast/all tides,Heights of the sea.\r\nCoast/tides,Heights of the sea.\r\n");
    for (const { code, stderr } of [table, csv, json, ndjson]) expect([code, stderr]).toEqual([0, ""]);
  });

  it("copies folders both ways and replaces nothing without --force", async () => {
    expect((await run("files", "ls", "charts", "--recursive", "--format", "ndjson")).stdout.trim().split("\n")).toHaveLength(3);
    const get = ["files", "get", "charts", "north", "--recursive", "--to", "copies"];
    expect(await run(...get)).toMatchObject({ code: 0, stdout: "north/deep/ä b.txt\nnorth/dover.txt\n", stderr: "" });
    expect(await readFile(join(installed.project, "copies/north/deep/ä b.txt"), "utf8")).toBe("chart of north/deep/ä b.txt");
    await writeFile(join(installed.project, "copies/north/dover.txt"), "mine");
    const again = await run(...get);
    expect([again.code, again.stdout]).toEqual([6, ""]);
    expect(again.stderr).toContain("dover.txt already exists: use --force to replace it.");
    expect(await readFile(join(installed.project, "copies/north/dover.txt"), "utf8")).toBe("mine");
    expect((await run(...get, "--force")).code).toBe(0);
    expect(await readFile(join(installed.project, "copies/north/dover.txt"), "utf8")).toBe("chart of north/dover.txt");

    const put = ["files", "put", "inbox", "copies", "--recursive", "--to", "from cli"];
    expect(await run(...put)).toMatchObject({ code: 0, stderr: "" });
    expect(await run("files", "get", "inbox", "from cli/copies/north/dover.txt", "--to", "-")).toMatchObject({
      code: 0,
      stdout: "chart of north/dover.txt",
    });
    expect(await run(...put)).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining("use --force to replace it.") });
    expect((await run(...put, "--force")).code).toBe(0);
    const out = "rows.csv";
    expect((await run("export", "Coast/tides", "--output", out, "--where", "number=3", "--columns", "number")).code).toBe(0);
    expect(await readFile(join(installed.project, out), "utf8")).toMatch(/number\r?\n3/);
    expect((await run("export", "Coast/tides", "--output", out)).code).toBe(6);
    expect((await run("export", "Coast/tides", "--output", "rows.arrows")).code).toBe(0);
    expect(shownRows(await readFile(join(installed.project, "rows.arrows")))).toHaveLength(30);
    expect(await run("export", "Coast/tides", "--output", "rows.txt")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("or xlsx"),
    });
  });

  it("exits with a code for each kind of failure, and goes on with other files", async () => {
    await writeFile(join(installed.project, "large.bin"), Buffer.alloc(20_000_000));
    const closed = await closedAddress();
    const [wrongKey, noUploads, missing, large, unreachable, refused, partly] = await Promise.all([
      runWith({ FAIRWAY_API_KEY: "fwk_wrong" }, "datasets"),
      run("files", "put", "charts", "package.json"),
      run("search", "Coast/nothing"),
      run("files", "put", "inbox", "large.bin"),
      runWith({ FAIRWAY_URL: closed }, "datasets"),
      run("files", "rm", "charts", "index.txt"),
      run("files", "get", "charts", "nothing.txt", "index.txt", "--to", "partly"),
    ]);
    expect(wrongKey).toMatchObject({ code: 3, stderr: expect.stringContaining("(401 not-signed-in)") });
    expect(noUploads).toMatchObject({ code: 3, stderr: expect.stringContaining("does not allow uploads. (403 forbidden)") });
    expect(missing).toMatchObject({ code: 4, stdout: "" });
    expect(large).toMatchObject({ code: 1, stderr: expect.stringContaining("The file is larger than 1,000,000 bytes. (413 too-large)") });
    expect(unreachable).toMatchObject({ code: 5, stderr: `fairway: ${closed} cannot be reached (ECONNREFUSED).\n` });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("API keys cannot be used for this call.") });
    expect(partly).toMatchObject({ code: 4, stdout: "index.txt\n" });
    expect(await readdir(join(installed.project, "partly"))).toEqual(["index.txt"]);
  });

  it("says what is no figure, no grouping and no column of a summary, and shows a comparison", async () => {
    const summary = (...args: string[]) => runFairway(installed, ["summarize", "Coast/tides", ...args]);
    const [mode, top, other, zone, by, compare, unknown, dated] = await Promise.all([
      summary("--measure", "mode(height)"),
      summary("--by", "harbor", "--top", "0"),
      summary("--by", "harbor", "--other"),
      summary("--by", "harbor", "--zone", "UTC"),
      summary("--by", "number:often"),
      summary("--compare", "last"),
      summary("--by", "depth"),
      summary("--by", "time:dayOfWeek", "--zone", "Asia/Kolkata", "--from", "2024-01-02", "--to", "2024-01-02", "--compare", "before"),
    ]);
    expect(mode).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('"mode(height)" is no measure') });
    expect(top).toMatchObject({ code: 2, stderr: expect.stringContaining("--top 0 is not a number of groups") });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("--other needs --top.") });
    expect(zone).toMatchObject({ code: 2, stderr: expect.stringContaining("--zone needs a step or a part in --by.") });
    expect(by).toMatchObject({ code: 2, stderr: expect.stringContaining('--by "number:often" is no grouping') });
    expect(compare).toMatchObject({ code: 2, stderr: expect.stringContaining("--compare last is not one of before and year-before.") });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("'depth'") });
    expect(dated).toMatchObject({ code: 0, stderr: "" });
    expect(dated.stdout.split("\n")).toContainEqual(expect.stringMatching(/^Tuesday +6 /));
    expect(dated.stdout).toMatch(/All rows +6 +24 +-18\n$/);
  });
});

describe("the Python client", () => {
  it("is a wheel with a record of its files that searches and copies files", async () => {
    const folder = await temporaryFolder((close) => onTestFinished(close));
    const found = await outcomeOf("python3", ["-m", "venv", "--without-pip", join(folder, "venv")], { cwd: folder }).catch(() => undefined);
    if (found?.code !== 0) {
      noteNotRun("the Python client", "python3 with venv is not installed");
      return;
    }
    const wheel = (await readdir(installed.tools)).find((name) => name.endsWith(".whl")) ?? "";
    const env = { ...process.env, FAIRWAY_URL: installed.portal.url, FAIRWAY_API_KEY: installed.portal.apiKey };
    const script = join(import.meta.dirname, "client_test.py");
    const python = join(folder, "venv/bin/python3");
    const outcome = await outcomeOf(python, [script, join(installed.tools, wheel), installed.portal.accessToken], { cwd: folder, env });
    expect(outcome).toEqual({ code: 0, stdout: "done\n", stderr: "" });
  });
});

describe("the TypeScript client", () => {
  it("has types that hold under strict checks without other packages", async () => {
    const consumer = `
      import { Fairway, FairwayError, type FilesetFile, type Row, type SearchData } from "fairway-client";
      const fairway = new Fairway({ url: "https://data.example.org", apiKey: "fwk_x" });
      export const rows: Row[] = await fairway.search("Coast/tides", { where: { height: { ">=": 1 } }, sort: { time: "desc" } }).rows();
      for await (const { harbor } of fairway.search("Coast/tides")) void (harbor satisfies string | number | boolean | null | undefined);
      export const file: FilesetFile = await fairway.files.put("inbox", "a.txt", "text", { overwrite: false });
      export const data: SearchData = { filters: [], paging: { offset: 0, max: 1 } };
      const { results } = await fairway.call("search.sample", { params: { category: "Coast", datasetId: "tides" } });
      void (results satisfies Row[]);
      // @ts-expect-error an operation needs its parameters
      await fairway.call("search.run", { body: data });
      const { rows: groups } = await fairway.summarize("Coast/tides", { by: ["harbor", { kind: "time", unit: "month" }], measures: ["avg(height)", { aggregation: "count" }] });
      void (groups[0]?.["avg(height)"] satisfies string | number | boolean | null | undefined);
      // @ts-expect-error there is no such unit
      await fairway.summarize("Coast/tides", { by: { kind: "time", unit: "months" } });
      // @ts-expect-error there is no such operator
      fairway.search("Coast/tides", { where: { height: { "=>": 1 } } });
      try { await fairway.datasets(); } catch (error) { if (error instanceof FairwayError && error.code === "forbidden") throw error; }
    `;
    await writeFile(join(installed.project, "consumer.ts"), consumer);
    const libraries = "es2023,dom,dom.asynciterable";
    const strict = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", ""];
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const args = [compiler, ...strict, "--module", "nodenext", "--target", "es2023", "--lib", libraries, "consumer.ts"];
    expect(await outcomeOf(process.execPath, args, { cwd: installed.project })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
