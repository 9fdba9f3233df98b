import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Column, DatasetDescription, ExportDraft, Fairway, Query } from "../client/index.ts";
import { computedOf, describedWith } from "./computed.ts";
import { conditionsOf } from "./conditions.ts";
import { UsageError } from "./failures.ts";
import { requireFree } from "./local-files.ts";
import { type Format, withIsoTimes, writeRows } from "./rows.ts";
import type { Terminal } from "./terminal.ts";

export interface QueryFlags {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly where?: readonly string[] | undefined;
  readonly compute?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly columns?: string | undefined;
}

const defaultLimit = 1_000;

export async function listDatasets(fairway: Fairway, terminal: Terminal, format: Format): Promise<void> {
  const entries = await fairway.datasets({ signal: terminal.signal });
  const rows = entries.map(({ datasetCategory, datasetId, description }) => ({ dataset: `${datasetCategory}/${datasetId}`, description }));
  await writeRows(terminal, format, ["dataset", "description"], pagesOf(rows));
}

export async function findDatasets(fairway: Fairway, terminal: Terminal, text: string, format: Format): Promise<void> {
  const hits = await fairway.find(text, { signal: terminal.signal });
  const rows = hits.map(({ dataset, communityDescription, description }) => ({
    dataset: `${dataset.datasetCategory}/${dataset.datasetId}`,
    description: communityDescription || description,
  }));
  await writeRows(terminal, format, ["dataset", "description"], pagesOf(rows));
}

export async function describeDataset(fairway: Fairway, terminal: Terminal, dataset: string, format: Format): Promise<void> {
  const description = await fairway.describe(dataset, terminal);
  if (format === "json") return terminal.write(`${JSON.stringify(description, undefined, 2)}\n`);
  const columns = description.schema.columns.map(({ name, type, unit, description: text }) => ({
    name,
    type,
    unit: unit ?? "",
    description: text,
  }));
  await writeRows(terminal, format, ["name", "type", "unit", "description"], pagesOf(columns));
}

export async function countRows(fairway: Fairway, terminal: Terminal, dataset: string, flags: QueryFlags): Promise<void> {
  const { signal } = terminal;
  const search = fairway.search(dataset, { ...(await queryOf(fairway, dataset, flags, signal)), signal });
  await terminal.write(`${await search.count()}\n`);
}

interface SearchFlags extends QueryFlags {
  readonly format: Format;
  readonly limit?: string | undefined;
  readonly isoTimes: boolean;
}

export async function searchDataset(fairway: Fairway, terminal: Terminal, dataset: string, flags: SearchFlags): Promise<void> {
  const { signal } = terminal;
  const limit = limitOf(flags.limit);
  const computed = computedOf(flags.compute);
  const description = await describedWith(await fairway.describe(dataset, { signal }), computed, fairway, dataset, signal);
  const { schema } = description;
  const columns = chosenColumns(schema.columns, flags.columns);
  // One row more shows whether there are more.
  const search = fairway.search(dataset, { ...queryFor(description, flags), sort: sortOf(flags.sort), limit: limit + 1, signal });
  const hasIsoTimes = flags.isoTimes || flags.format === "table";
  let found = 0;
  let isTruncated = false;
  async function* pages() {
    for await (const page of search.pages()) {
      const rows = page.rows.slice(0, limit - found);
      found += page.rows.length;
      isTruncated ||= page.truncated;
      terminal.progress(`${found} rows`);
      yield hasIsoTimes ? withIsoTimes(rows, schema.columns) : rows;
    }
  }
  const count = await writeRows(terminal, flags.format, columns, pages());
  if (found > limit) terminal.note(`Only the first ${limit} rows are shown: use --limit to get more, or --limit all.`);
  else if (isTruncated) terminal.note(`Only ${count} rows are shown, because this dataset returns no more at once: narrow the search.`);
}

interface ExportFlags extends QueryFlags {
  readonly format: ExportDraft["format"];
  readonly output: string;
  readonly force: boolean;
}

export async function exportDataset(fairway: Fairway, terminal: Terminal, dataset: string, flags: ExportFlags): Promise<void> {
  const { format, output, force } = flags;
  const { signal } = terminal;
  if (output !== "-" && !force) await requireFree(output);
  const columns = flags.columns?.split(",");
  const response = await fairway.export(dataset, {
    ...(await queryOf(fairway, dataset, flags, signal)),
    format,
    sort: sortOf(flags.sort),
    columns,
    signal,
    onProgress: ({ rows, totalRows }) => terminal.progress(`${rows} of ${totalRows ?? "?"} rows`),
  });
  if (response.body === null) return;
  const target = output === "-" ? process.stdout : createWriteStream(output, { flags: force ? "w" : "wx" });
  await pipeline(Readable.fromWeb(response.body), target, { signal });
}

export async function listFilesets(fairway: Fairway, terminal: Terminal, format: Format): Promise<void> {
  const entries = await fairway.filesets({ signal: terminal.signal });
  const rows = entries.map(({ id, allowsUploads, description }) => ({ id, allowsUploads, description }));
  await writeRows(terminal, format, ["id", "allowsUploads", "description"], pagesOf(rows));
}

/** Conditions are read by the columns of the dataset, which is described only for them. */
async function queryOf(fairway: Fairway, dataset: string, flags: QueryFlags, signal: AbortSignal): Promise<Query> {
  const { from, to, where = [] } = flags;
  const computed = computedOf(flags.compute);
  if (where.length === 0) return { from, to, computed };
  return queryFor(await describedWith(await fairway.describe(dataset, { signal }), computed, fairway, dataset, signal), flags);
}

const queryFor = (description: DatasetDescription, { from, to, where = [], compute }: QueryFlags): Query => ({
  computed: computedOf(compute),
  from,
  to,
  where: conditionsOf(where, description),
});

function sortOf(texts: readonly string[] | undefined): Record<string, "asc" | "desc"> | undefined {
  if (texts === undefined) return undefined;
  return Object.fromEntries(
    texts.map((text): [string, "asc" | "desc"] => {
      const [, column = text, direction = "asc"] = /^(.*):(asc|desc)$/.exec(text) ?? [];
      return [column, direction === "desc" ? "desc" : "asc"];
    }),
  );
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  if (text === "all") return Infinity;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`--limit ${text} is not a number of rows: expected a whole number, or all.`);
  return Number(text);
}

/** Combined columns have no values. */
function chosenColumns(columns: readonly Column[], chosen: string | undefined): string[] {
  const plain = columns.filter(({ combined }) => combined === null).map(({ name }) => name);
  if (chosen === undefined) return plain;
  const names = chosen.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !plain.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no column ${JSON.stringify(unknown)}. There are: ${plain.join(", ")}.`);
  return names;
}

export async function* pagesOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void, undefined> {
  yield rows;
}
