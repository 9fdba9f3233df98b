import { chmod, copyFile, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { datasetProfile } from "@fairway/contract/dataset-profiles";
import { datasetDescription, fieldFilter } from "@fairway/contract/datasets";
import { noteNotRun } from "@fairway/gateway/testing/not-run";
import { DefaultSettings, TaskUtils } from "@microsoft/powerquery-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Program, type UsedDataset, keyPlaceholder, snippetsOf } from "../../web/src/features/catalog/use/programs.ts";
import { buildTools } from "../build/build-tools.mjs";
import { type Portal, outcomeOf, startPortal, temporaryFolder } from "./portal.ts";

/** The code that the page of a dataset shows for other programs, run against a gateway. */

const root = join(import.meta.dirname, "../..");
const closers: (() => Promise<void>)[] = [];
let portal: Portal;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder((close) => closers.push(close));
  portal = await startPortal();
  closers.push(() => portal.close());
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** `tides` has pages of eight rows and half of its 30 rows at this harbor; `all tides` has no pages. */
const harbor = 'Dover, "Kent"';
const profile = datasetProfile.parse({
  measuredMs: 0,
  rows: 30,
  oldestMs: null,
  newestMs: null,
  coverage: null,
  columns: [
    {
      name: "harbor",
      type: "STRING",
      isApproximate: false,
      distinct: 2,
      empty: 0,
      min: null,
      max: null,
      top: [{ value: harbor, rows: 15 }],
      histogram: [],
    },
  ],
});

async function used(datasetId: string): Promise<UsedDataset> {
  const response = await fetch(`${portal.url}/api/datasets/Coast/${encodeURIComponent(datasetId)}/describe`, {
    headers: { "x-api-key": portal.apiKey },
  });
  const described = datasetDescription.parse(await response.json());
  // As if a harbor had to be given, so that the examples hold its name.
  const harborFilter = { id: "harbor", name: "harbor", display: "Harbor", description: "", type: "STRING", operator: "=", value: null };
  const staticFilters = [fieldFilter.parse({ ...harborFilter, required: true, preFilled: false })];
  const description = { ...described, filterSupport: { ...described.filterSupport, staticFilters } };
  return { dataset: { datasetCategory: "Coast", datasetId }, description, profile, origin: portal.url, pageRows: 8 };
}

const codeOf = async (program: Program, datasetId = "tides"): Promise<readonly string[]> =>
  snippetsOf(program, await used(datasetId)).map(({ code }) => code);

/** Runs a program in a folder of its own, in which it finds these programs first. */
async function run(program: string, args: readonly string[], paths: readonly string[] = []) {
  const env = {
    ...process.env,
    FAIRWAY_API_KEY: portal.apiKey,
    PYTHONPATH: join(root, "sdk/python"),
    PATH: [...paths, process.env["PATH"]].join(":"),
  };
  const outcome = await outcomeOf(program, args, { cwd: folder, env });
  if (outcome.code !== 0) throw new Error(`${program} failed:\n${outcome.stderr}\n${outcome.stdout}`);
  return outcome.stdout;
}

/** Whether a command works here. */
const works = (program: string, args: readonly string[]): Promise<boolean> =>
  outcomeOf(program, args, { cwd: root }).then(
    ({ code }) => code === 0,
    () => false,
  );

interface Answer {
  readonly results: readonly Record<string, unknown>[];
}

const runnable = {
  curl: () => works("curl", ["--version"]),
  pandas: () => works("python3", ["-c", "import pandas, pyarrow"]),
  polars: () => works("python3", ["-c", "import polars"]),
  r: () => works("Rscript", ["-e", "library(httr2); library(jsonlite)"]),
};

/** False, and recorded as not run, if the program is missing. */
async function canRun(program: keyof typeof runnable, what: string): Promise<boolean> {
  const isThere = await runnable[program]();
  if (!isThere) noteNotRun(`the examples for ${what}`, `${what} is not installed`);
  return isThere;
}

describe("the examples of a dataset", () => {
  it("make dates of whole days in R and Excel", async () => {
    const tides = await used("tides");
    const columns = tides.description.schema.columns.map((column) => (column.name === "time" ? { ...column, day: true } : column));
    const dated = { ...tides, description: { ...tides.description, schema: { columns } } };
    expect(snippetsOf("r", dated)[0]?.code).toContain(
      'rows[["time"]] <- as.Date(as.numeric(rows[["time"]]) / 86400, origin = "1970-01-01")',
    );
    const excel = snippetsOf("excel", dated)[0]?.code ?? "";
    expect(excel).toContain("Date.From(#datetime(1970, 1, 1, 0, 0, 0) + #duration(0, 0, 0, _)), type nullable date}");
    expect(TaskUtils.isParseStageOk(await TaskUtils.tryLexParse(DefaultSettings, excel))).toBe(true);
  });

  it.each(["tides", "all tides"])("for cURL get the rows of %s and its file", async (datasetId) => {
    if (!(await canRun("curl", "cURL"))) return;
    const [page = "", file = "", groups = ""] = await codeOf("curl", datasetId);
    const { results } = JSON.parse(await run("bash", ["-c", page])) as Answer;
    expect(results.map((row) => row["harbor"])).toEqual(Array.from({ length: datasetId === "tides" ? 8 : 15 }, () => harbor));
    await run("bash", ["-e", "-o", "pipefail", "-c", file]);
    const lines = (await readFile(join(folder, "rows.csv"), "utf8")).trim().split("\r\n");
    expect([lines[0], lines.length]).toEqual(["number,harbor,height,time", 16]);
    const { cells, totals } = JSON.parse(await run("bash", ["-c", groups])) as { cells: object[]; totals: object };
    expect({ cells, totals }).toMatchObject({ cells: [{ at: [0], values: [14, 15] }], totals: { all: { values: [14, 15] } } });
  });

  it("for DuckDB query a file of all rows", async () => {
    if (!(await canRun("curl", "cURL"))) return;
    // The engine itself, in the place of its command line.
    const bin = join(folder, "bin");
    await mkdir(bin);
    const duckdb = join(bin, "duckdb");
    const engine = JSON.stringify(join(root, "node_modules/@duckdb/node-api/lib/index.js"));
    await writeFile(
      duckdb,
      `#!${process.execPath}
const { DuckDBInstance } = require(${engine});
if (process.argv[2] !== "-c") throw new Error("expected -c");
DuckDBInstance.create(":memory:").then(async (instance) => {
  const result = await (await instance.connect()).runAndReadAll(process.argv[3]);
  console.log(JSON.stringify(result.getRowsJson()));
});`,
    );
    await chmod(duckdb, 0o755);
    const [code = ""] = await codeOf("duckdb");
    const counted = JSON.parse(await run("bash", ["-e", "-o", "pipefail", "-c", code], [bin])) as unknown[];
    expect(counted).toEqual([[harbor, "15"]]);
  });

  it("for TypeScript hold under strict checks, and get rows one by one and as a table", async () => {
    const tools = join(folder, "tools");
    await buildTools({ compiled: join(folder, "compiled"), output: tools });
    const packed = (await readdir(tools)).filter((name) => name.startsWith("fairway-client") && name.endsWith(".tgz"));
    await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
    await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...packed.map((name) => join(tools, name))]);
    await symlink(join(root, "node_modules/apache-arrow"), join(folder, "node_modules/apache-arrow"));
    await symlink(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
    const codes = await codeOf("typescript");
    for (const [index, code] of codes.entries()) {
      await writeFile(join(folder, `example-${index}.ts`), code);
      await copyFile(join(folder, `example-${index}.ts`), join(folder, `example-${index}.mjs`));
    }
    const strict = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2023", "--types", "node"];
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...strict, "example-0.ts", "example-1.ts", "example-2.ts"]);
    const rows = await run(process.execPath, ["example-0.mjs"]);
    expect(rows.match(/number: \d+/g)).toHaveLength(15);
    expect(await run(process.execPath, ["example-1.mjs"])).toMatch(/'time: Timestamp<SECOND, UTC>'\s*\] 15/);
    expect(await run(process.execPath, ["example-2.mjs"])).toContain("{ 'avg(number)': 14, 'count(*)': 15 }");
  });

  it.each(["tides", "all tides"])("for Python with pandas make data frames of %s", async (datasetId) => {
    if (!(await canRun("pandas", "Python with pandas and pyarrow"))) return;
    const [rows = "", all = "", groups = ""] = await codeOf("pandas", datasetId);
    expect(await run("python3", ["-c", `${rows}\nprint(frame.shape, frame["time"].dtype)`])).toMatch(/\(15, 4\) datetime64\[.*UTC\]\n$/);
    expect(await run("python3", ["-c", `${all}\nprint(frame.shape)`])).toMatch(/\(15, 4\)\n$/);
    expect(await run("python3", ["-c", groups])).toContain("{'avg(number)': 14.0, 'count(*)': 15}");
  });

  it.each(["tides", "all tides"])("for Python with polars make data frames of %s", async (datasetId) => {
    if (!(await canRun("polars", "Python with polars"))) return;
    const [rows = "", all = ""] = await codeOf("polars", datasetId);
    const shape = 'print(frame.shape, frame.schema["number"], frame.schema["time"])';
    expect(await run("python3", ["-c", `${rows}\n${shape}`])).toMatch(/\(15, 4\) Int64 Datetime\(.*time_zone='UTC'\)\n$/);
    expect(await run("python3", ["-c", `${all}\nprint(rows.collect().shape)`])).toMatch(/\(15, 4\)\n$/);
  });

  it("for R make a data frame with times", async () => {
    if (!(await canRun("r", "R with httr2"))) return;
    const [code = ""] = await codeOf("r");
    await writeFile(
      join(folder, "example.R"),
      `${code}\ncat(dim(rows), class(rows$time)[1], format(rows$time[1], tz = "UTC", usetz = TRUE), "\\n")`,
    );
    expect(await run("Rscript", ["example.R"])).toMatch(/8 4 POSIXct 2024-01-01 UTC \n$/);
  });

  it.each(["tides", "all tides"])(
    "for Excel are a query that the language's parser accepts, whose call gets rows of %s",
    async (datasetId) => {
      const [code = ""] = await codeOf("excel", datasetId);
      const isQuery = async (text: string) => TaskUtils.isParseStageOk(await TaskUtils.tryLexParse(DefaultSettings, text));
      expect([await isQuery(code), await isQuery(code.replace("MissingField", '"'))]).toEqual([true, false]);
      // Texts that Web.Contents sends.
      const textAfter = (name: string) => new RegExp(`${name}"((?:[^"]|"")*)"`).exec(code)?.[1]?.replaceAll('""', '"') ?? "";
      const path = textAfter("RelativePath = ");
      const response = await fetch(`${textAfter("Web\\.Contents\\(")}/${path}`, {
        method: "POST",
        headers: { "x-api-key": textAfter("Key = ").replace(keyPlaceholder, portal.apiKey), "content-type": "application/json" },
        body: textAfter("Text\\.ToBinary\\("),
      });
      const { results } = (await response.json()) as Answer;
      expect(results.map((row) => row["harbor"])).toEqual(Array.from({ length: datasetId === "tides" ? 8 : 15 }, () => harbor));
      expect(code).toContain(
        `Table.FromRecords(Rows, {${Object.keys(results[0] ?? {})
          .map((name) => `"${name}"`)
          .join(", ")}}`,
      );
    },
  );
});
