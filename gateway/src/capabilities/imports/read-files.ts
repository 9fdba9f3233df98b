import { mapViewOf } from "@fairway/contract/map-view";
import type { Column } from "@fairway/contract/columns";
import type { ColumnSpread, ImportChoices, SampledRow } from "@fairway/contract/imports";
import type { InternalDataset, OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { Reading, ReadingChoices, ReadingHints, StoredReading } from "@fairway/contract/readings";
import type { ColumnPicture, EngineCall, ImportedSource, QueryEngine, QueryableDataset } from "#query/engine.ts";
import { noRows } from "./refusals.ts";
import type { ImportResult, ReadFormat } from "./tables.ts";
import { Scope } from "#query/scope.ts";

/** Inspects data for datasets, as for those of administrators. */
export interface Inspection {
  /** Refuses a field and an answer that say different things. */
  readonly requireConsistent: (choices: ReadingChoices | undefined, path: string) => void;
  /** Refuses choices that do not fit the data. */
  readonly requireFitting: (choices: ReadingChoices | undefined, reading: Reading) => void;
  /** A dataset of these files with all their columns, and the first rows. */
  readonly propose: (
    engine: Pick<QueryEngine, "columns" | "sample" | "suggest">,
    source: ImportedSource,
    options: { readonly sampleRows: number; readonly isSwapped: boolean },
    call: EngineCall,
  ) => Promise<{ readonly dataset: InternalDataset; readonly sample: readonly Readonly<Record<string, unknown>>[] }>;
}

export interface ReadingParts {
  readonly engine: Required<Pick<QueryEngine, "columns" | "sample" | "suggest" | "reading" | "aggregate" | "columnPictures">>;
  readonly inspection: Inspection;
}

/** Files of one format to be read. */
export interface ReadRequest {
  readonly format: ReadFormat;
  readonly files: ImportedSource["files"];
  readonly choices: ImportChoices;
  readonly hints: ReadingHints;
  /** How later files of a dataset are read. */
  readonly reading?: StoredReading | undefined;
}

const sampleRows = 200;
/** Each look at an import carries its sample, so wide tables show fewer rows: those of 1,000 columns 20. */
const maxSampleValues = 20_000;
/** The text of a hostile file may be one value of many megabytes. */
const maxSampleCharacters = 2_000_000;
const maxValueCharacters = 1_000;
/** Pictures of more columns would take too long, and nobody looks at them. */
const maxSpreads = 100;

/** The source as it is read, with every line checked. */
export const sourceOf = ({ format, files, choices, hints, reading }: ReadRequest): ImportedSource => ({
  kind: "imported",
  format,
  files,
  ...(format === "parquet" ? {} : { reading, choices: readingChoicesOf(choices), hints, checksAll: true }),
});

/** The choices of an import as those of a source: what is chosen for one file applies to all, which are read alike. */
export function readingChoicesOf({ files, columns, ...choices }: ImportChoices): ReadingChoices {
  const { entry: _entry, ...first } = Object.values(files ?? {}).find((one) => one !== null) ?? {};
  const ofColumns = Object.entries(columns ?? {}).map(([name, choice]) => {
    const { as: _as, leaveOut: _leaveOut, ...reading } = choice ?? {};
    return [name, Object.keys(reading).length === 0 ? null : reading] as const;
  });
  const decided = Object.fromEntries(ofColumns.filter(([, choice]) => choice !== null));
  return { ...first, ...choices, ...(Object.keys(decided).length === 0 ? {} : { columns: decided }) };
}

/** Reads all files, and finds out what a dataset of them would be. Rejects with EngineFailed, and with a Refusal of choices. */
export async function readFiles({ engine, inspection }: ReadingParts, request: ReadRequest, call: EngineCall): Promise<ImportResult> {
  const source = sourceOf(request);
  const { choices } = request;
  const readingChoices = readingChoicesOf(choices);
  inspection.requireConsistent(readingChoices, "choices");
  const understood = request.format === "parquet" ? null : await engine.reading(source, call);
  if (understood !== null) inspection.requireFitting(readingChoices, understood.reading);
  const isSwapped = choices.answers?.["swappedPlaces"] === "swap";
  const { dataset, sample: proposedFrom } = await inspection.propose(engine, source, { sampleRows, isSwapped }, call);
  const { id: _id, category: _category, roles: _roles, source: _source, ...proposed } = dataset;
  const queryable = queryableOf(source, proposed);
  const rows = understood?.reading.rows ?? (await countRows(engine, queryable, call));
  if (rows === 0) throw noRows();
  const settings = withoutLeftOut(labeled(proposed, understood?.reading ?? null), choices);
  const shown = queryableOf(source, settings);
  const sample = proposedFrom.slice(0, Math.ceil(maxSampleValues / Math.max(1, shown.columns.length)));
  const unreadable = understood === null ? [] : await unreadableTexts(engine, shown, understood.reading, sample.length, call);
  const names = shown.columns.map(({ name }) => name);
  return {
    reading: understood?.reading ?? null,
    stored: understood?.stored ?? null,
    rows,
    sample: {
      rows: withinCharacters(sample.map((row, index) => sampledRow(row, unreadable[index], names))),
      spreads: await spreadsOf(engine, shown, rows, call),
    },
    settings,
    drift: [],
    differences: understood?.differences ?? [],
    append: null,
  };
}

/** A dataset of the files with nothing but its plain columns. */
export const queryableOf = (source: ImportedSource, { schema }: Pick<OwnDatasetSettings, "schema">): QueryableDataset => ({
  category: "",
  id: "import",
  source,
  columns: schema.columns.filter(({ combined }) => combined === null),
  temporalField: null,
  location: null,
  orderBy: [],
  scope: Scope.whole,
  ownConditions: [],
  features: new Set(),
});

async function countRows(engine: Pick<QueryEngine, "aggregate">, dataset: QueryableDataset, call: EngineCall): Promise<number> {
  const [[count] = []] = await engine.aggregate(dataset, [{ type: "count", column: "*" }], [], everyRow, call);
  return Number(count);
}

const everyRow = { timeRange: null, area: null, conditions: [] };

/** Names that differ from those of the file keep these as their labels. */
function labeled(settings: OwnDatasetSettings, reading: Reading | null): OwnDatasetSettings {
  const headers = new Map(reading?.columns.map(({ name, header }) => [name, header.replaceAll(/\s+/g, " ").trim()]));
  const columns = settings.schema.columns.map((column): Column => {
    const header = headers.get(column.name) ?? "";
    return header === "" || header === column.name ? column : Object.assign({}, column, { label: header.slice(0, 100) });
  });
  return { ...settings, schema: { columns } };
}

/** The settings without the columns that are left out, and without what needs these. */
function withoutLeftOut(settings: OwnDatasetSettings, { columns: choices }: ImportChoices): OwnDatasetSettings {
  const left = new Set(Object.entries(choices ?? {}).flatMap(([name, choice]) => (choice?.leaveOut === true ? [name] : [])));
  if (left.size === 0) return settings;
  const columns = settings.schema.columns.filter(
    ({ name, combined }) => !left.has(name) && combined?.fields.some((field) => left.has(field)) !== true,
  );
  const has = new Set(columns.map(({ name }) => name));
  const kept = (name: string | null) => (name !== null && has.has(name) ? name : null);
  const map = settings.mapSupport;
  const isMapped = map !== null && [map.groupItemField, map.itemLocationField, map.itemTemporalField].every((name) => has.has(name));
  const [temporalField, locationField] = [kept(settings.temporalField), kept(settings.locationField)];
  return {
    ...settings,
    schema: { columns },
    temporalField,
    locationField,
    mapSupport: isMapped ? map : null,
    ...(settings.mapView && { mapView: mapViewOf(settings.mapView, (name) => has.has(name)) }),
    titleField: kept(settings.titleField),
    subtitleField: kept(settings.subtitleField),
    filterSupport: {
      ...settings.filterSupport,
      supportsTimeRange: temporalField !== null,
      supportsGeospatial: locationField !== null,
      staticFilters: settings.filterSupport.staticFilters.filter(({ name }) => has.has(name)),
    },
  };
}

/** The texts of the sampled rows in columns with values that cannot be read. */
async function unreadableTexts(
  engine: Pick<QueryEngine, "sample">,
  dataset: QueryableDataset,
  reading: Reading,
  limit: number,
  call: EngineCall,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const bad = new Set(reading.columns.filter(({ unreadable }) => unreadable.count > 0).map(({ name }) => name));
  const columns = dataset.columns.filter(({ name }) => bad.has(name)).map(({ name }) => ({ name, type: "STRING" as const }));
  if (columns.length === 0) return [];
  const { chunks } = await engine.sample({ ...dataset, columns }, { conditions: [], limit }, call);
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return JSON.parse(`[${text}]`) as Record<string, unknown>[];
}

function sampledRow(
  row: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, unknown>> | undefined,
  names: readonly string[],
): SampledRow {
  const values = Object.fromEntries(names.map((name) => [name, shortened(row[name] ?? null)])) as SampledRow["values"];
  const unreadable = Object.entries(texts ?? {}).flatMap(([name, text]): [string, string][] =>
    values[name] === null && typeof text === "string" && text.trim() !== "" ? [[name, text.slice(0, 200)]] : [],
  );
  return unreadable.length === 0 ? { values } : { values, unreadable: Object.fromEntries(unreadable) };
}

const shortened = (value: unknown): unknown =>
  typeof value === "string" && value.length > maxValueCharacters ? `${value.slice(0, maxValueCharacters)}…` : value;

/** The first rows that together are not too long, and at least one. */
function withinCharacters(rows: SampledRow[]): SampledRow[] {
  let characters = 0;
  const end = rows.findIndex((row, index) => (characters += JSON.stringify(row).length) > maxSampleCharacters && index > 0);
  return end < 0 ? rows : rows.slice(0, end);
}

async function spreadsOf(
  engine: Pick<ReadingParts["engine"], "columnPictures">,
  dataset: QueryableDataset,
  rows: number,
  call: EngineCall,
): Promise<ColumnSpread[]> {
  const pictures = await engine.columnPictures(dataset, dataset.columns.slice(0, maxSpreads), rows, call);
  return pictures.map(({ name, counts, least, greatest }) => ({
    column: name,
    counts: [...counts],
    least: textOf(least),
    greatest: textOf(greatest),
  }));
}

const textOf = (value: ColumnPicture["least"]): string | null => (value === null ? null : String(value).slice(0, 100));
