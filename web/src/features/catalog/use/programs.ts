import { apiBase } from "@fairway/contract/api";
import { apiKeyHeader } from "@fairway/contract/api-keys";
import { breakdowns } from "@fairway/contract/breakdowns";
import { type Column, isDay, isNumeric } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import { exports, type ExportFormat } from "@fairway/contract/exports";
import { parseMeasure } from "@fairway/contract/measure-text";
import { search, type SearchDataDraft, type SearchFilter } from "@fairway/contract/search";
import { shellQuoted } from "#parts/tool-guides/guide-text.ts";
import { type ExampleSearch, type Known, exampleSearch } from "../schema/call-examples.ts";

/** The programs that a dataset is used in, by their names in addresses. */
export const programs = {
  curl: "cURL",
  pandas: "Python with pandas",
  polars: "Python with polars",
  typescript: "TypeScript",
  duckdb: "DuckDB",
  r: "R",
  excel: "Excel",
} as const;
export type Program = keyof typeof programs;

/** Code to copy. */
export interface Snippet {
  /** Purpose of the program, as a sentence without a full stop. */
  readonly title: string;
  readonly code: string;
}

export interface UsedDataset extends Known {
  readonly dataset: DatasetRef;
  /** Address of the portal. */
  readonly origin: string;
  /** Most rows of one answer. */
  readonly pageRows: number;
}

/** Text that users replace with their key where a program reads no environment variable. */
export const keyPlaceholder = "PASTE_YOUR_API_KEY";

/** Working code for a dataset. Empty if the program needs what the dataset does not offer. */
export const snippetsOf = (program: Program, used: UsedDataset): readonly Snippet[] =>
  writers[program](used, exampleSearch(used, "some"), exampleSearch(used, "all"));

/** `some` is for code that gets some rows, `all` for code that gets all. */
type Writer = (used: UsedDataset, some: ExampleSearch, all: ExampleSearch) => readonly Snippet[];

const writers: Readonly<Record<Program, Writer>> = {
  curl: (used, some, all) => [
    { title: firstRows(used), code: searchByCurl(used, some) },
    ...(isExportable(used) ? [{ title: allRows("a CSV file"), code: exportByCurl(used, all, "csv", "rows.csv") }] : []),
    ...ranked(used, (ranking) => summaryByCurl(used, all, ranking)),
  ],
  pandas: (used, some, all) => [
    {
      title: rowsInto("a DataFrame"),
      code: python(used, ["import os", "", "from fairway import Fairway"], pythonSearch(used, some, "pandas")),
    },
    ...(isExportable(used)
      ? [
          {
            title: allRows("a DataFrame, through a Parquet file"),
            code: python(
              used,
              ["import os", "", "import pandas", "from fairway import Fairway"],
              `frame = pandas.read_parquet(\n${indented(pythonExport(used, all))}\n)\nprint(frame.dtypes)`,
            ),
          },
        ]
      : []),
    ...ranked(used, (ranking) => python(used, ["import os", "", "from fairway import Fairway"], pythonSummary(used, all, ranking))),
  ],
  polars: (used, some, all) => [
    {
      title: rowsInto("a DataFrame"),
      code: python(used, ["import os", "", "from fairway import Fairway"], pythonSearch(used, some, "polars")),
    },
    ...(isExportable(used)
      ? [
          {
            title: allRows("a Parquet file, of which polars reads only what a query needs"),
            code: python(
              used,
              ["import os", "", "import polars", "from fairway import Fairway"],
              `rows = polars.scan_parquet(\n${indented(pythonExport(used, all))}\n)\nprint(rows.head(10).collect())`,
            ),
          },
        ]
      : []),
  ],
  typescript: (used, some, all) => [
    {
      title: "Rows one at a time, page by page",
      code: typescript(
        used,
        [],
        `for await (const row of fairway.search(${JSON.stringify(pathOf(used))}, ${clientQuery(some, ["limit: 10_000"])})) console.log(row);`,
      ),
    },
    ...(isExportable(used)
      ? [
          {
            title: allRows("an Arrow table with types"),
            code: typescript(
              used,
              ['import { tableFromIPC } from "apache-arrow";'],
              `const table = await tableFromIPC(await fairway.export(${JSON.stringify(pathOf(used))}, ${clientQuery(all, ['format: "arrow"'])}));
console.log(table.schema.fields.map(String), table.numRows);`,
            ),
          },
        ]
      : []),
    ...ranked(used, (ranking) => typescript(used, [], clientSummary(used, all, ranking))),
  ],
  duckdb: (used, _, all) =>
    isExportable(used)
      ? [
          {
            title: allRows("a Parquet file, which DuckDB queries"),
            code: `${exportByCurl(used, all, "parquet", "rows.parquet")}\nduckdb -c ${shellQuoted(duckdbQuery(used))}`,
          },
        ]
      : [],
  r: (used, some) => [{ title: firstRows(used), code: rCode(used, some) }],
  excel: (used, some) => [{ title: firstRows(used), code: powerQuery(used, some) }],
};

const firstRows = ({ description, pageRows }: UsedDataset): string =>
  description.features.includes("PAGINATION") ? `The first ${pageRows.toLocaleString("en-US")} rows` : "The rows of one response";
const rowsInto = (target: string): string => `Up to 10,000 rows as ${target}`;
const allRows = (target: string): string => `All rows as ${target}`;

/** A column whose values are ranked, and by which figure. */
interface Ranking {
  readonly column: string;
  readonly measures: readonly string[];
}

/** The best groups of the first text by the first number that is no part of a place, or else by rows. */
function ranked({ description }: UsedDataset, codeOf: (ranking: Ranking) => string): readonly Snippet[] {
  const parts = new Set(description.schema.columns.flatMap(({ combined }) => combined?.fields ?? []));
  const plain = description.schema.columns.filter(({ name, combined }) => combined === null && !parts.has(name));
  const text = plain.find(({ type }) => type === "STRING");
  if (text === undefined || !description.assists.includes("BREAKDOWN")) return [];
  const number = plain.find(({ type }) => isNumeric(type));
  const measures = number === undefined ? ["count"] : [`avg(${number.name})`, "count"];
  return [{ title: `The ${rankedGroups} best groups of all, and the total`, code: codeOf({ column: text.name, measures }) }];
}

const rankedGroups = 20;

const isExportable = ({ description }: UsedDataset): boolean => description.assists.includes("EXPORT");

const pathOf = ({ dataset }: UsedDataset): string => `${dataset.datasetCategory}/${dataset.datasetId}`;

/** Quotes of shells and of Power Query never occur in it. */
const encoded = (part: string): string => encodeURIComponent(part).replaceAll("'", "%27");

/** Relative to the portal's address, without a slash at the start. */
const apiPath = (template: string, { dataset }: UsedDataset): string =>
  `${apiBase}${template}`
    .slice(1)
    .replace(":category", () => encoded(dataset.datasetCategory))
    .replace(":datasetId", () => encoded(dataset.datasetId));

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

const plainColumns = ({ description }: UsedDataset): readonly Column[] =>
  description.schema.columns.filter(({ combined }) => combined === null);

function searchBody({ filters, times }: ExampleSearch): SearchDataDraft {
  const timeRange = times && { start: new Date(times.startMs).toISOString(), end: new Date(times.endMs).toISOString() };
  return { ...(timeRange ? { timeRange } : {}), filters: [...filters] };
}

/** The body of a call for the first rows. */
function pageBody({ description, pageRows }: UsedDataset, example: ExampleSearch): string {
  const paging = description.features.includes("PAGINATION") ? { paging: { offset: 0, max: pageRows } } : {};
  return JSON.stringify({ ...paging, ...searchBody(example) });
}

const withKey = `--header "${apiKeyHeader}: $FAIRWAY_API_KEY"`;
const asJson = "--header 'content-type: application/json'";

const searchByCurl = (used: UsedDataset, example: ExampleSearch): string =>
  [
    `curl --fail-with-body ${shellQuoted(`${used.origin}/${apiPath(search.run.path, used)}`)}`,
    `  ${withKey} ${asJson}`,
    `  --data-raw ${shellQuoted(pageBody(used, example))}`,
  ].join(" \\\n");

function summaryByCurl(used: UsedDataset, example: ExampleSearch, { column, measures }: Ranking): string {
  const body = {
    search: searchBody(example),
    by: [{ kind: "value", column, top: { count: rankedGroups } }],
    measures: measures.map((text) => parseMeasure(text)),
    totals: true,
  };
  return [
    `curl --fail-with-body ${shellQuoted(`${used.origin}/${apiPath(breakdowns.run.path, used)}`)}`,
    `  ${withKey} ${asJson}`,
    `  --data-raw ${shellQuoted(JSON.stringify(body))}`,
  ].join(" \\\n");
}

/** The portal writes the file first, so the script waits for it. */
function exportByCurl(used: UsedDataset, example: ExampleSearch, format: ExportFormat, file: string): string {
  const body = JSON.stringify({ format, search: searchBody(example) });
  return `api=${shellQuoted(`${used.origin}${apiBase}`)}
id=$(curl --fail-with-body --silent "$api"${shellQuoted(`/${apiPath(exports.start.path, used).slice(apiBase.length)}`)} \\
  ${withKey} ${asJson} \\
  --data-raw ${shellQuoted(body)} | sed 's/.*"exportId":"\\([^"]*\\)".*/\\1/')
while curl --silent ${withKey} "$api/exports/$id" | grep --quiet '"status":"running"'; do sleep 1; done
curl --fail-with-body --silent --output ${file} ${withKey} "$api/exports/$id/file"`;
}

/** How often the values of a text occur, or else the first rows. Files stand in double quotes, so that the shell's own stay apart. */
function duckdbQuery(used: UsedDataset): string {
  const text = plainColumns(used).find(({ type }) => type === "STRING");
  if (text === undefined) return 'from "rows.parquet" limit 10';
  return `select "${text.name.replaceAll('"', '""')}", count(*) as "rows" from "rows.parquet" group by all order by "rows" desc limit 10`;
}

const python = ({ origin }: UsedDataset, imports: readonly string[], code: string): string =>
  `${imports.join("\n")}\n\nportal = Fairway(${JSON.stringify(origin)}, os.environ["FAIRWAY_API_KEY"])\n${code}`;

const pythonSearch = (used: UsedDataset, example: ExampleSearch, library: "pandas" | "polars"): string =>
  [
    "frame = portal.search(",
    `    ${JSON.stringify(pathOf(used))},`,
    ...pythonQuery(example).map((argument) => `    ${argument},`),
    "    limit=10_000,",
    `).to_${library}()`,
    "print(frame)",
  ].join("\n");

const pythonExport = (used: UsedDataset, example: ExampleSearch): string =>
  [
    "portal.export(",
    `    ${JSON.stringify(pathOf(used))},`,
    '    "rows.parquet",',
    ...pythonQuery(example).map((argument) => `    ${argument},`),
    "    overwrite=True,",
    ")",
  ].join("\n");

const pythonSummary = (used: UsedDataset, example: ExampleSearch, { column, measures }: Ranking): string =>
  [
    "summary = portal.summarize(",
    `    ${JSON.stringify(pathOf(used))},`,
    `    ${JSON.stringify(column)},`,
    `    [${measures.map((text) => JSON.stringify(text)).join(", ")}],`,
    `    top=${rankedGroups},`,
    ...pythonQuery(example).map((argument) => `    ${argument},`),
    ")",
    "print(summary.to_pandas())",
    "print(summary.total)",
  ].join("\n");

const pythonQuery = ({ filters, times }: ExampleSearch): readonly string[] => [
  ...(filters.length > 0 ? [`where={${filters.map(condition).join(", ")}}`] : []),
  ...(times ? [`start="${dayOf(times.startMs)}"`, `end="${dayOf(times.endMs)}"`] : []),
];

const indented = (code: string): string => code.replaceAll(/^/gm, "    ");

const typescript = ({ origin }: UsedDataset, imports: readonly string[], code: string): string =>
  [
    ...imports,
    'import { Fairway } from "fairway-client";',
    "",
    `const fairway = new Fairway({ url: ${JSON.stringify(origin)}, apiKey: process.env.FAIRWAY_API_KEY ?? "" });`,
    code,
  ].join("\n");

const clientSummary = (used: UsedDataset, example: ExampleSearch, { column, measures }: Ranking): string =>
  `const { rows, total } = await fairway.summarize(${JSON.stringify(pathOf(used))}, ${clientQuery(example, [
    `by: ${JSON.stringify(column)}`,
    `measures: [${measures.map((text) => JSON.stringify(text)).join(", ")}]`,
    `top: ${rankedGroups}`,
  ])});
console.table(rows);
console.log(total);`;

function clientQuery({ filters, times }: ExampleSearch, more: readonly string[]): string {
  const parts = [
    ...more,
    ...(filters.length > 0 ? [`where: { ${filters.map(condition).join(", ")} }`] : []),
    ...(times ? [`from: "${dayOf(times.startMs)}"`, `to: "${dayOf(times.endMs)}"`] : []),
  ];
  return `{\n  ${parts.join(",\n  ")},\n}`;
}

/** As both clients write it. Values of booleans are texts in both. */
const condition = ({ name, operator, value }: SearchFilter): string =>
  `${JSON.stringify(name)}: ${operator === "=" ? JSON.stringify(value) : `{${JSON.stringify(operator)}: ${JSON.stringify(value)}}`}`;

const isTime = ({ type }: Column): boolean => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS";

function rCode(used: UsedDataset, example: ExampleSearch): string {
  const times = plainColumns(used)
    .filter(isTime)
    .map((column) => {
      const { name, type } = column;
      const cell = `rows[[${rText(name)}]]`;
      if (isDay(column))
        return `${cell} <- as.Date(as.numeric(${cell}) / ${type === "TIMESTAMP_MILLS" ? "86400000" : "86400"}, origin = "1970-01-01")`;
      return `${cell} <- as.POSIXct(as.numeric(${cell})${type === "TIMESTAMP_MILLS" ? " / 1000" : ""}, origin = "1970-01-01", tz = "UTC")`;
    });
  return [
    "library(httr2)",
    "",
    `answer <- request(${rText(`${used.origin}/${apiPath(search.run.path, used)}`)}) |>`,
    `  req_headers("${apiKeyHeader}" = Sys.getenv("FAIRWAY_API_KEY")) |>`,
    `  req_body_raw(${rText(pageBody(used, example))}, type = "application/json") |>`,
    "  req_perform()",
    "rows <- jsonlite::fromJSON(resp_body_string(answer))$results",
    ...(times.length === 0 ? [] : ["if (length(rows) > 0) {", ...times.map((line) => `  ${line}`), "}"]),
    "str(rows)",
  ].join("\n");
}

/** Raw, because quotes within quotes are hard to read. */
const rText = (text: string): string => (text.includes('"') && !text.includes(')--"') ? `r"--(${text})--"` : JSON.stringify(text));

function powerQuery(used: UsedDataset, example: ExampleSearch): string {
  const columns = plainColumns(used);
  const times = columns.filter(isTime).map((column) => {
    const { name, type } = column;
    const moment = `#datetime(1970, 1, 1, 0, 0, 0) + #duration(0, 0, 0, ${type === "TIMESTAMP_MILLS" ? "_ / 1000" : "_"})`;
    const [value, kind] = isDay(column) ? [`Date.From(${moment})`, "date"] : [moment, "datetime"];
    return `{${mText(name)}, each if _ = null then null else ${value}, type nullable ${kind}}`;
  });
  return `let
    Key = ${mText(keyPlaceholder)},
    Answer = Web.Contents(${mText(used.origin)}, [
        RelativePath = ${mText(apiPath(search.run.path, used))},
        Headers = [#"${apiKeyHeader}" = Key, #"content-type" = "application/json"],
        Content = Text.ToBinary(${mText(pageBody(used, example))})
    ]),
    Rows = Json.Document(Answer)[results],
    Table = Table.FromRecords(Rows, {${columns.map(({ name }) => mText(name)).join(", ")}}, MissingField.UseNull),
    Typed = Table.TransformColumns(Table, {${times.length === 0 ? "" : `\n        ${times.join(",\n        ")}\n    `}})
in
    Typed`;
}

/** A text of Power Query: quotes are doubled, and `#(` begins a character's name. */
const mText = (text: string): string => `"${text.replaceAll("#(", "#(#)(").replaceAll('"', '""')}"`;
