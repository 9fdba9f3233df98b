import { entryName } from "@fairway/contract/breakdown-text";
import type { BreakdownRequest } from "@fairway/contract/breakdowns";
import { type ColumnType, isTimestamp } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { AnsweredEntry, BreakdownResult } from "#query/breakdown.ts";
import type { EngineCall } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { unitMs } from "#query/sql/instants.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import type { DatasetPath, SearchParts } from "../service.ts";
import { partName } from "./part-names.ts";
import { type BreakdownLimits, type ValidBreakdown, validBreakdown } from "./valid-breakdown.ts";
import type { ValidGrouping } from "./valid-groupings.ts";

/** A breakdown as rows: times are epoch milliseconds. */
export interface BreakdownRows {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly CellValue[])[];
  /** Whether there are more groups. */
  readonly isCut: boolean;
}

/** A validated breakdown, and how to compute its rows. */
export interface ExportableBreakdown {
  readonly filterSupport: SearchableDataset["filterSupport"];
  /** Of each measure. */
  readonly units: readonly (string | null)[];
  readonly compute: (call: EngineCall, maxRows: number) => Promise<BreakdownRows>;
}

/** Cells that are held in memory until their file is written. */
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
    datasets.use(user, category, datasetId, async (dataset) => {
      const { engine, queryable, filterSupport } = dataset;
      if (engine.breakdown === undefined) throw new Refusal("not-supported", "The service behind this dataset cannot group rows.");
      const valid = validBreakdown(dataset, request, limits);
      const compute = async (call: EngineCall, maxRows: number): Promise<BreakdownRows> => {
        const most = Math.min(maxRows, maxHeldCells);
        const query = { ...valid.query, totals: false, maxListed: most, maxCells: most };
        const result = await engine.breakdown?.(queryable, query, call);
        if (result === undefined) throw new Error("the engine has no breakdowns");
        return rowsOf(valid, result);
      };
      return work({ filterSupport, units: valid.measures.map(({ unit }) => unit), compute });
    });

/** Some columns of the file, with their value of a cell. */
interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly value: (cell: BreakdownResult["cells"][number]) => CellValue;
}

function rowsOf({ groupings, measures, query }: ValidBreakdown, { axes, cells, isCut }: BreakdownResult): BreakdownRows {
  const columns: FileColumn[] = [
    ...groupings.flatMap((grouping, index) => axisColumns(grouping, axes[index]?.entries ?? [], index)),
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
  const rows = cells.map((cell) => columns.map((column) => column.value(cell)));
  return { columns: columns.map((column, index) => storedColumn(column, rows, index)), rows, isCut };
}

function axisColumns(
  { id, column, axis, groups }: ValidGrouping & { readonly id: string },
  entries: readonly AnsweredEntry[],
  index: number,
): FileColumn[] {
  const isPlain = axis.kind === "value" && entries.every(({ kind }) => kind === "value" || kind === "empty");
  const type = isPlain ? (column?.type ?? "STRING") : "STRING";
  const unit = isPlain && isTimestamp(type) ? Number(unitMs(type)) : 1;
  const entryOf = ({ at }: { readonly at: readonly number[] }) => entries[at[index] ?? 0];
  const named: FileColumn = {
    name: id,
    type,
    value: (cell) => {
      const entry = entryOf(cell);
      if (entry?.kind !== "value") return entry === undefined ? null : nameOf(entry, { axis, groups });
      return unit === 1 || entry.value === null ? (isPlain ? entry.value : String(entry.value)) : Number(entry.value) * unit;
    },
  };
  if (axis.kind !== "time" && axis.kind !== "range") return [named];
  const boundType: ColumnType = axis.kind === "time" ? "TIMESTAMP_MILLS" : "decimal";
  const bound = (name: string, read: (entry: AnsweredEntry) => number | null): FileColumn => ({
    name: `${id} ${name}`,
    type: boundType,
    value: (cell) => {
      const entry = entryOf(cell);
      return entry === undefined ? null : read(entry);
    },
  });
  return [
    named,
    bound("from", (entry) => (entry.kind === "time" ? entry.startMs : entry.kind === "range" ? entry.from : null)),
    bound("to", (entry) => (entry.kind === "time" ? entry.endMs : entry.kind === "range" ? entry.to : null)),
  ];
}

function nameOf(entry: Exclude<AnsweredEntry, { kind: "value" }>, { axis, groups }: Pick<ValidGrouping, "axis" | "groups">): string | null {
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

/** The type that holds all values of a column: texts where numbers would lose digits. */
function storedColumn({ name, type }: FileColumn, rows: readonly (readonly CellValue[])[], index: number): SqlColumn {
  const values = rows.map((row) => row[index] ?? null);
  const text: SqlColumn = { name, type: "STRING", storage: { kind: "text" } };
  if (type === "STRING") return text;
  if (type === "BOOLEAN") return { name, type, storage: { kind: "boolean" } };
  if (isTimestamp(type)) return { name, type, storage: { kind: "instant", zoned: false } };
  if (type === "decimal") {
    return values.some((value) => typeof value === "string")
      ? text
      : { name, type, storage: { kind: "floating", single: false, finite: false } };
  }
  const isHeld = values.every(
    (value) => value === null || (/^-?\d+$/.test(String(value)) && BigInt(String(value)) >= least && BigInt(String(value)) <= most),
  );
  return isHeld ? { name, type, storage: { kind: "integer", narrow: false } } : text;
}
