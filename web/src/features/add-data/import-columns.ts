import type { Column } from "@fairway/contract/columns";
import type { DataImport, SampledRow } from "@fairway/contract/imports";
import type { ColumnReading } from "@fairway/contract/readings";
import { alignsRight, cellText, readsAsCode } from "#lib/text/cell-text.ts";
import type { CellsColumn } from "#ui/kit/use-cells.ts";
import { kindText } from "./import-words.ts";

/** A column of the sample. The first one has the lines and no column of the dataset. */
export interface ImportColumn extends CellsColumn {
  readonly column: Column | null;
  readonly reading: ColumnReading | undefined;
  readonly counts: readonly number[];
}

/** The id of the column of lines, which no column of a dataset can have. */
export const lineColumn = "\u0000line";

const [minPx, maxPx, characterPx, paddingPx] = [104, 320, 7.4, 28];

/** The columns of the sample with widths that fit their headers and first rows. */
export function importColumns({ sample, reading }: Pick<DataImport, "sample" | "reading">): ImportColumn[] {
  if (sample === null) return [];
  const readings = new Map((reading?.columns ?? []).map((one) => [one.name, one]));
  const spreads = new Map(sample.spreads.map((one) => [one.column, one.counts]));
  const columns = sample.columns.map((column): ImportColumn => {
    const one = readings.get(column.name);
    const texts = sample.rows.slice(0, 20).map((row) => shownText(column, row));
    const characters = Math.max(
      column.name.length + (one?.unit?.length ?? 0) + 4,
      (one === undefined ? 0 : kindText(one).length) * 0.74,
      ...texts.map((text) => text.length),
    );
    return {
      id: column.name,
      width: Math.round(Math.min(maxPx, Math.max(minPx, characters * characterPx + paddingPx))),
      isPinned: false,
      align: alignsRight(column) ? "end" : undefined,
      mono: readsAsCode(column),
      column,
      reading: one,
      counts: spreads.get(column.name) ?? [],
    };
  });
  if (!sample.rows.some(({ line }) => typeof line === "number")) return columns;
  const lines: ImportColumn = {
    id: lineColumn,
    width: 72,
    isPinned: false,
    align: "end",
    mono: true,
    column: null,
    reading: undefined,
    counts: [],
  };
  return [lines, ...columns];
}

const shownText = (column: Column, row: SampledRow): string => row.unreadable?.[column.name] ?? cellText(column, row.values) ?? "";
