import path from "node:path";
import { entryName } from "@fairway/contract/breakdown-text";
import type { BreakdownRequest } from "@fairway/contract/breakdowns";
import { formatCount } from "@fairway/contract/counts";
import { type ColumnType, isTimestamp } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { AnsweredEntry, BreakdownPage } from "#query/breakdown.ts";
import type { EngineCall } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { unitMs } from "#query/sql/instants.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import type { DatasetPath, SearchParts } from "../service.ts";
import { headLabel } from "./column-labels.ts";
import { KeptRows, type Row } from "./kept-rows.ts";
import { partName } from "./part-names.ts";
import { type BreakdownLimits, type ValidBreakdown, validBreakdown } from "./valid-breakdown.ts";
import type { ValidGrouping } from "./valid-groupings.ts";

/** A breakdown as rows: times are epoch milliseconds. */
export interface BreakdownRows {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly Row[];
  /** Whether there are more groups. */
  readonly isCut: boolean;
}

/** The same in a file. */
export interface KeptBreakdown extends Omit<BreakdownRows, "rows"> {
  readonly count: number;
  readonly pages: () => AsyncIterable<readonly Row[]>;
  /** Heads of the columns for people, in the same order. */
  readonly labels: readonly string[];
}

/** A validated breakdown, and how to compute its rows. */
export interface ExportableBreakdown {
  readonly filterSupport: SearchableDataset["filterSupport"];
  /** Whether the user is told to see a part of the dataset only. */
  readonly isPart: boolean;
  /** Whether its rules show the user no row. */
  readonly hasNoRows: boolean;
  /** Of each measure. */
  readonly units: readonly (string | null)[];
  readonly compute: (call: EngineCall, maxRows: number) => Promise<BreakdownRows>;
  /** Keeps the rows in a new folder, which the caller removes, while `work` reads them. */
  readonly keep: <T>(
    call: EngineCall,
    target: { readonly maxRows: number; readonly folder: string },
    work: (rows: KeptBreakdown) => Promise<T>,
  ) => Promise<T>;
}

/** Cells of groupings other than a list of values, which are held in memory. */
const maxHeldCells = 150_000;

/** Validates a breakdown by the same rules as running it, and passes it to `work`. */
export const breakdownExports =
  ({ datasets, limits }: Pick<SearchParts, "datasets"> & { readonly limits: BreakdownLimits }) =>
  <T>(
    user: SignedInUser,
    { category, datasetId }: DatasetPath,
    request: BreakdownRequest,
    work: (breakdown: ExportableBreakdown) => Promise<T>,
  ): Promise<T> =>
    datasets.use(user, category, datasetId, async (described) => {
      const dataset = described.deriving(request.search, "search");
      const { engine, queryable, filterSupport, isPart, hasNoRows } = dataset;
      if (engine.breakdown === undefined || engine.breakdownPages === undefined)
        throw new Refusal("not-supported", "The service behind this dataset cannot group rows.");
      const valid = validBreakdown(dataset, request, limits);
      const queryOf = (maxRows: number) => ({
        ...valid.query,
        totals: false,
        maxListed: maxRows,
        maxCells: Math.min(maxRows, maxHeldCells),
      });
      const compute: ExportableBreakdown["compute"] = async (call, maxRows) => {
        const rows: Row[] = [];
        const file = new BreakdownFile(valid, (page) => {
          for (const row of page) rows.push(row);
          return Promise.resolve();
        });
        const result = await engine.breakdown?.(queryable, queryOf(Math.min(maxRows, maxHeldCells)), call);
        if (result === undefined) throw new Error("the engine has no breakdowns");
        await file.add({ ...result, axes: result.axes.map(({ entries }) => entries) });
        return { columns: file.columns(), rows, isCut: file.isCut };
      };
      const keep: ExportableBreakdown["keep"] = (call, { maxRows, folder }, read) =>
        KeptRows.open(folder, async (kept) => {
          const file = new BreakdownFile(valid, (rows) => kept.add(rows));
          const target = { path: path.join(folder, "groups"), onPage: (page: BreakdownPage) => file.add(page) };
          await engine.breakdownPages?.(queryable, queryOf(maxRows), target, call);
          const columns = file.columns();
          const labels = columns.map(({ name }) => headLabel(name, dataset.columns));
          return read({ columns, labels, count: kept.count, pages: () => kept.pages(), isCut: file.isCut });
        });
      return work({ filterSupport, isPart, hasNoRows, units: valid.measures.map(({ unit }) => unit), compute, keep });
    });

/** Makes rows of the pages of a breakdown. */
class BreakdownFile {
  readonly #valid: ValidBreakdown;
  readonly #write: (rows: readonly Row[]) => Promise<void>;
  #columns: readonly FileColumn[] | undefined;
  #stored: readonly StoredColumn[] = [];
  isCut = false;

  constructor(valid: ValidBreakdown, write: (rows: readonly Row[]) => Promise<void>) {
    this.#valid = valid;
    this.#write = write;
  }

  async add({ axes, cells, isCut }: BreakdownPage): Promise<void> {
    const columns = this.#columnsFor(axes);
    const rows = cells.map((cell) => columns.map((column) => column.value(cell, axes)));
    for (const row of rows) row.forEach((value, index) => this.#stored[index]?.see(value));
    this.isCut ||= isCut;
    await this.#write(rows);
  }

  columns(): SqlColumn[] {
    this.#columnsFor([]);
    return this.#stored.map((column) => column.found());
  }

  /** Those of the first page. */
  #columnsFor(axes: BreakdownPage["axes"]): readonly FileColumn[] {
    if (this.#columns !== undefined) return this.#columns;
    this.#columns = fileColumns(this.#valid, axes);
    this.#stored = this.#columns.map((column) => new StoredColumn(column));
    return this.#columns;
  }
}

/** A column of the file, with its value of a cell. */
interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly value: (cell: BreakdownPage["cells"][number], axes: BreakdownPage["axes"]) => CellValue;
}

const fileColumns = ({ groupings, measures, query }: ValidBreakdown, axes: BreakdownPage["axes"]): FileColumn[] => [
  ...groupings.flatMap((grouping, index) => axisColumns(grouping, axes[index] ?? [], index)),
  ...measures.flatMap(({ id, type }, index): FileColumn[] => {
    const columnType = type as ColumnType;
    const unit = isTimestamp(columnType) ? Number(unitMs(columnType)) : 1;
    const scaled = (value: CellValue) => (unit === 1 || value === null ? value : Number(value) * unit);
    const value: FileColumn = { name: id, type: columnType, value: ({ values }) => scaled(values[index] ?? null) };
    if (query.before === null) return [value];
    const before: FileColumn = { name: `${id} before`, type: columnType, value: (cell) => scaled(cell.before?.[index] ?? null) };
    const change: FileColumn = {
      name: `${id} change`,
      type: "decimal",
      value: (cell) => changeOf(cell.values[index] ?? null, cell.before?.[index] ?? null),
    };
    return [value, before, change];
  }),
];

function axisColumns(
  { id, column, axis, groups }: ValidGrouping & { readonly id: string },
  entries: readonly AnsweredEntry[],
  index: number,
): FileColumn[] {
  const isPlain = axis.kind === "value" && entries.every(({ kind }) => kind === "value" || kind === "empty");
  const type = isPlain ? (column?.type ?? "STRING") : "STRING";
  const unit = isPlain && isTimestamp(type) ? Number(unitMs(type)) : 1;
  const otherName = otherNameIn(entries, groups);
  const entryOf = ({ at }: { readonly at: readonly number[] }, axes: BreakdownPage["axes"]) => axes[index]?.[at[index] ?? 0];
  const named: FileColumn = {
    name: id,
    type,
    value: (cell, axes) => {
      const entry = entryOf(cell, axes);
      if (entry?.kind !== "value") return entry === undefined ? null : nameOf(entry, { axis, groups, otherName });
      return unit === 1 || entry.value === null ? (isPlain ? entry.value : String(entry.value)) : Number(entry.value) * unit;
    },
  };
  if (axis.kind !== "time" && axis.kind !== "range") return [named];
  const boundType: ColumnType = axis.kind === "time" ? "TIMESTAMP_MILLS" : "decimal";
  const bound = (name: string, read: (entry: AnsweredEntry) => number | null): FileColumn => ({
    name: `${id} ${name}`,
    type: boundType,
    value: (cell, axes) => {
      const entry = entryOf(cell, axes);
      return entry === undefined ? null : read(entry);
    },
  });
  return [
    named,
    bound("from", (entry) => (entry.kind === "time" ? entry.startMs : entry.kind === "range" ? entry.from : null)),
    bound("to", (entry) => (entry.kind === "time" ? entry.endMs : entry.kind === "range" ? entry.to : null)),
  ];
}

/** As on the screen, `Other (200)`, since a group may be called Other; and never what another group of the file is called. */
function otherNameIn(entries: readonly AnsweredEntry[], groups: ValidGrouping["groups"]): string {
  const other = entries.find(({ kind }) => kind === "other");
  const count = other?.kind === "other" ? other.count : null;
  const taken = new Set([...entries.map((entry) => (entry.kind === "value" ? entry.value : null)), ...groups.map(({ label }) => label)]);
  let name = count === null ? "Other" : `Other (${formatCount(count)})`;
  while (taken.has(name)) name = `All ${name}`;
  return name;
}

interface Naming extends Pick<ValidGrouping, "axis" | "groups"> {
  readonly otherName: string;
}

function nameOf(entry: Exclude<AnsweredEntry, { kind: "value" }>, { axis, groups, otherName }: Naming): string | null {
  if (entry.kind === "other") return otherName;
  if (entry.kind === "part") return axis.kind === "part" ? entryName({ kind: "part", name: partName(axis.part, entry.number) }) : null;
  if (entry.kind !== "group") return entryName(entry);
  const label = groups[entry.index]?.label;
  return label === undefined ? null : entryName({ kind: "group", label });
}

function changeOf(value: CellValue, before: CellValue): number | null {
  if (value === null || before === null || typeof value === "boolean" || typeof before === "boolean") return null;
  const change = Number(value) - Number(before);
  return Number.isFinite(change) ? change : null;
}

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Finds the type that holds all values of a column: texts where numbers would lose digits. */
class StoredColumn {
  readonly #column: FileColumn;
  #areNumbers = true;

  constructor(column: FileColumn) {
    this.#column = column;
  }

  see(value: CellValue): void {
    const { type } = this.#column;
    if (value === null || !this.#areNumbers) return;
    if (type === "decimal") this.#areNumbers = typeof value !== "string";
    if (type === "integer") this.#areNumbers = Number.isSafeInteger(value) || isHeld(value);
  }

  found(): SqlColumn {
    const { name, type } = this.#column;
    if (type === "STRING" || !this.#areNumbers) return { name, type: "STRING", storage: { kind: "text" } };
    if (type === "BOOLEAN") return { name, type, storage: { kind: "boolean" } };
    if (isTimestamp(type)) return { name, type, storage: { kind: "instant", zoned: false } };
    if (type === "decimal") return { name, type, storage: { kind: "floating", single: false, finite: false } };
    return { name, type, storage: { kind: "integer", narrow: false } };
  }
}

const isHeld = (value: CellValue): boolean =>
  /^-?\d+$/.test(String(value)) && BigInt(String(value)) >= least && BigInt(String(value)) <= most;
