import { breakdowns } from "@fairway/contract/breakdowns";
import { type Column, isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { type CellValue, search } from "@fairway/contract/search";
import { queryOptions } from "@tanstack/react-query";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { keyColumns } from "#features/search/map/model/key-columns.ts";
import { call, callText } from "#lib/gateway/call.ts";
import { parseRows } from "#parts/open-searches/search-api.ts";
import { countDataOf, searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { boxOfCell } from "./cell-set.ts";
import { measureColumns } from "./measures.ts";
import { filtersWithin, type ShownPeriod } from "./shown-period.ts";

/** Rows that a card lists. */
export const listedRows = 10;

/** The column of which a card tells least, greatest and average: the one that colors the cells, or the first number of the dataset. */
export function figureColumn(description: DatasetDescription, coloredBy: Column | undefined): Column | undefined {
  if (coloredBy !== undefined && isNumeric(coloredBy.type)) return coloredBy;
  const offered = measureColumns(description);
  return keyColumns(description).find((column) => isNumeric(column.type) && offered.includes(column));
}

/** Figures of a cell; null where no row has a value. */
export interface CellFigures {
  readonly rows: number;
  readonly least: CellValue;
  readonly greatest: CellValue;
  readonly average: CellValue;
}

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchRecord) => ({ category: category.id, datasetId });

/** A cell, in the steps of a playback or at all times. */
export interface AskedCell {
  readonly cell: CellRef;
  readonly period: ShownPeriod | null;
}

const keyOf = ({ id, run }: SearchRecord, { cell: { level, x, y }, period }: AskedCell) =>
  ["map-cell", id, run, level, x, y, period?.startMs ?? null, period?.endMs ?? null] as const;

const searchOf = (record: SearchRecord, { period }: AskedCell): SearchRecord => ({
  ...record,
  filters: filtersWithin(record.filters, period),
});

/** Rows, least, greatest and average of a cell, in one scan. */
export const cellFiguresQuery = (record: SearchRecord, asked: AskedCell, column: Column | undefined) =>
  queryOptions({
    queryKey: [...keyOf(record, asked), "figures", column?.name ?? ""],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<CellFigures> => {
      const aggregations = column === undefined ? [] : (["min", "max", "avg"] as const);
      const body = {
        search: { ...countDataOf(searchOf(record, asked)), within: [...boxOfCell(asked.cell)] },
        measures: [{ aggregation: "count" }, ...aggregations.map((aggregation) => ({ aggregation, column: column?.name ?? "" }))],
      };
      const { rows, cells } = await call(breakdowns.run, { params: paramsOf(record), body }, { signal });
      const [, least = null, greatest = null, average = null] = cells[0]?.values ?? [];
      return { rows, least, greatest, average };
    },
  });

/** The first rows of a cell in the search's order. */
export const cellRowsQuery = (record: SearchRecord, asked: AskedCell) =>
  queryOptions({
    queryKey: [...keyOf(record, asked), "rows"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const body = { ...searchDataOf(searchOf(record, asked), { offset: 0, max: listedRows }), within: [...boxOfCell(asked.cell)] };
      return parseRows(await callText(search.run, { params: paramsOf(record), body }, { signal })).rows.slice(0, listedRows);
    },
  });
