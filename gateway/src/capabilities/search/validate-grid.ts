import { formatCount } from "@fairway/contract/counts";
import { type GridRequest, measureAggregations } from "@fairway/contract/grid";
import { type Box, type CellRange, cellBox, cellsAcross, cellsOfBox } from "@fairway/contract/grid-cells";
import type { Limits } from "@fairway/contract/limits";
import { Refusal } from "#http/refusal.ts";
import type { Aggregation, GridQuery, QueryEngine } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { Problems, quoted } from "./problems.ts";
import { type SearchLimits, requireFilters, validNarrowing } from "./validate.ts";
import { validAggregation } from "./validate-aggregation.ts";
import { plainColumn } from "./validate-filters.ts";
import { validGridTime } from "./validate-grid-time.ts";
import { boxCondition, requireLevel, validView } from "./validate-view.ts";

export type GridLimits = SearchLimits & Pick<Limits, "gridCells" | "gridFrameValues" | "mapRows">;

export interface ValidGrid {
  readonly query: GridQuery;
  /** The box of the cells. */
  readonly within: Box;
  /** Columns of rows to answer instead if there are at most `limit`; null: cells only. */
  readonly rows: { readonly limit: number; readonly columns: readonly string[] } | null;
}

const measures: ReadonlySet<string> = new Set(measureAggregations);

/** The location and the grid of a dataset. Refuses a dataset whose rows cannot be counted by place. */
export function requireGrid({ queryable, engine }: SearchableDataset): {
  readonly location: GridQuery["location"];
  readonly grid: NonNullable<QueryEngine["grid"]>;
  readonly gridRows: NonNullable<QueryEngine["gridRows"]>;
} {
  const [grid, gridRows] = [engine.grid?.bind(engine), engine.gridRows?.bind(engine)];
  if (grid === undefined || gridRows === undefined) {
    throw new Refusal("not-supported", "The service behind this dataset cannot count rows by place.");
  }
  if (queryable.location === null) throw new Refusal("not-supported", "Rows of this dataset have no location.");
  if (!queryable.features.has("COUNT")) throw new Refusal("not-supported", "The rows of this dataset cannot be counted.");
  return { location: queryable.location, grid, gridRows };
}

/** Validates a request for a grid. Refuses it with a list of all problems, and too many cells with 413. */
export function validateGrid(
  dataset: SearchableDataset,
  location: GridQuery["location"],
  { within, level, ...data }: GridRequest,
  limits: GridLimits,
): ValidGrid {
  const problems = new Problems();
  const refuse = (field: string, sentence: string) => problems.add("not-supported", `${sentence}: omit '${field}'.`, field);
  if (data.paging !== undefined) refuse("paging", "A grid is not paged");
  if (data.sort !== undefined) refuse("sort", "A grid cannot be sorted");
  if (data.columns !== undefined) problems.add("not-supported", "'columns' is for path calls only.", "columns");
  requireLevel(level, problems);
  const view = within === undefined ? undefined : validView(within, problems);
  const measure = validMeasure(dataset, data, problems);
  const time = validGridTime(dataset, data.time, limits, problems);
  const rows = validRows(dataset, location, data, limits, problems);
  const narrowing = validNarrowing(dataset, data, limits, problems);
  requireFilters(dataset, data, problems);
  problems.throwAny();
  const cells = view === undefined ? null : cellsOfBox(view, level);
  const asked: CellRange = cells ?? { left: 0, top: 0, columns: cellsAcross(level), rows: cellsAcross(level) };
  requireFewCells(asked, limits);
  const box = cellBox(asked, level);
  const conditions = cells === null ? narrowing.conditions : [...narrowing.conditions, boxCondition(location, box)];
  return {
    query: { ...narrowing, conditions, level, location, cells, measure, ...(time === undefined ? {} : { time }) },
    within: box,
    rows,
  };
}

function requireFewCells({ columns, rows }: CellRange, { gridCells }: GridLimits): void {
  if (columns * rows <= gridCells) return;
  const cells = `${formatCount(columns)} × ${formatCount(rows)} = ${formatCount(columns * rows)} cells`;
  throw new Refusal(
    "too-large",
    `This view has ${cells}; one answer holds ${formatCount(gridCells)}. Use a lower level or a smaller view.`,
    { path: "level" },
  );
}

function validMeasure(dataset: SearchableDataset, { measure }: Pick<GridRequest, "measure">, problems: Problems): Aggregation | null {
  if (measure === undefined) return null;
  const at = problems.within("measure");
  if (!measures.has(measure.aggregation)) {
    const known = [...measures].join(", ");
    at.add(
      "unknown-aggregation",
      `There is no measure ${quoted(measure.aggregation)}; there are ${known}. Rows are always counted.`,
      "aggregation",
    );
    return null;
  }
  return validAggregation(dataset, measure, "aggregation", at) ?? null;
}

function validRows(
  dataset: SearchableDataset,
  location: GridQuery["location"],
  { rows, values }: Pick<GridRequest, "rows" | "values">,
  { mapRows }: GridLimits,
  problems: Problems,
): ValidGrid["rows"] {
  if (rows === undefined) {
    if (values !== undefined) problems.add("not-supported", "'values' are those of rows: send 'rows' as well.", "values");
    return null;
  }
  if (rows > mapRows) {
    problems.add("invalid-request", `A map shows at most ${formatCount(mapRows)} rows one by one, not ${formatCount(rows)}.`, "rows");
  }
  const requested = (values ?? []).flatMap((name, index) => plainColumn(dataset, name, `values.${index}`, problems)?.name ?? []);
  const { temporalField } = dataset.queryable;
  const columns = [location.latitude, location.longitude, ...(temporalField === null ? [] : [temporalField]), ...requested];
  return { limit: rows, columns: [...new Set(columns)] };
}
