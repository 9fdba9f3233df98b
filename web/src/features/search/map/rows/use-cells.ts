import type { DatasetDescription } from "@fairway/contract/datasets";
import { useEffect, useMemo, useState } from "react";
import type { DrawnDots } from "#features/search/map/canvas/dots.ts";
import { projectedX, projectedY, worldSize } from "#features/search/map/canvas/projection.ts";
import type { CellRef, RowsDrawing } from "#features/search/map/canvas/rows-canvas.ts";
import {
  automaticRange,
  type Beyond,
  beyondOf,
  colorNumbers,
  type ColorScale,
  fullRange,
  keepsRange,
  type RangeSubject,
  scaleOfView,
} from "#features/search/map/model/color-scale.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { cellsInView } from "./cell-set.ts";
import { isAt, placeOf } from "./dot-place.ts";
import { valuesOfCells, valuesOfRows } from "./cell-values.ts";
import type { LoadedGrid } from "./grid-session.ts";
import type { ShownView } from "./grid-view.ts";
import { type ColorBy, columnOfMeasure } from "./measures.ts";
import { rowPoint } from "./row-text.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import type { Quantity } from "#parts/map-look/rows-look.ts";
import { quantityOf, valueKindOf } from "./value-kind.ts";

/** The subjects of computed ranges by search. A range of an address that has none yet is kept: it is that of the sender. */
const subjects = new Map<string, RangeSubject>();

interface Shown {
  readonly record: SearchRecord;
  readonly loaded: LoadedGrid | null;
  readonly view: ShownView | null;
  readonly colorBy: ColorBy;
  readonly rows: RowsState;
  readonly update: (changed: { range: RowsState["range"] }) => void;
  /** Colors of a playback, which hold for all that it shows; null for those of what is in view. */
  readonly colorsOfPlayback?: { readonly scale: ColorScale | null; readonly beyond: Beyond } | null;
}

export type ShownCells = ReturnType<typeof useCells>;

/** Values, colors and what is in view of the loaded cells or rows. */
export function useCells({ record, loaded, view, colorBy, rows, update, colorsOfPlayback = null }: Shown) {
  const { datasetDescription: description } = record;
  const { columns } = description.schema;
  const placed = useMemo(() => placedRows(description, loaded), [description, loaded]);
  const values = useMemo(() => {
    if (loaded === null) return new Float64Array();
    return loaded.content.kind === "cells"
      ? valuesOfCells(loaded.content.cells, colorBy.perArea)
      : valuesOfRows(placed.rows, loaded.measure);
  }, [loaded, placed, colorBy.perArea]);
  const inView = useMemo(() => {
    if (loaded === null || view === null) return new Int32Array();
    return loaded.content.kind === "cells" ? cellsInView(loaded.content.cells, view) : placed.inView(view);
  }, [loaded, placed, view]);
  const rowsInView = useMemo(
    () => (loaded?.content.kind === "cells" ? sumOf(loaded.content.cells.rows, inView) : inView.length),
    [loaded, inView],
  );
  const valuesInView = useMemo(() => Float64Array.from(inView, (index) => values[index] ?? Number.NaN), [inView, values]);
  const quantity = quantityOf(colorBy);
  const kind = valueKindOf(columnOfMeasure(columns, colorBy), colorBy);
  const subject = colorsOfPlayback === null ? subjectOf(record, loaded, colorBy) : null;
  useRange({ record, subject, values: valuesInView, quantity, range: rows.range, update });
  // Steps of equal numbers depend on values, but colors must not move while the map does: only a new range computes them again.
  const scaleKey = JSON.stringify([subject, rows.scale, rows.range, rows.palette, quantity, valuesInView.length > 0]);
  const [kept, setKept] = useState<{ readonly key: string; readonly scale: ColorScale | null } | null>(null);
  const ownScale = kept?.key === scaleKey || colorsOfPlayback !== null ? kept?.scale : scaleOfView(rows, valuesInView, quantity, kind);
  if (kept?.key !== scaleKey && colorsOfPlayback === null) setKept({ key: scaleKey, scale: ownScale ?? null });
  // Rows one by one have no number of rows, whatever range the cells had.
  const isPlain = loaded?.content.kind === "rows" && loaded.measure === null;
  const scale = isPlain ? null : colorsOfPlayback === null ? (ownScale ?? null) : colorsOfPlayback.scale;
  const colors = useMemo(
    () => (scale === null ? new Uint8Array(values.length).fill(quantity === "measure" ? 0 : 7) : colorNumbers(values, scale)),
    [values, scale, quantity],
  );
  const drawing = useMemo((): RowsDrawing => {
    if (loaded === null) return { cells: null, dots: null };
    if (loaded.content.kind === "cells") return { cells: { ...pick(loaded.content.cells), colors }, dots: null };
    return { cells: null, dots: { ...placed.at, colors } };
  }, [loaded, placed, colors]);
  const beyond = useMemo(
    () => colorsOfPlayback?.beyond ?? beyondOf(valuesInView, scale?.range ?? { low: 0, high: 0 }),
    [valuesInView, scale, colorsOfPlayback],
  );
  return { loaded, placed, values, inView, rowsInView, valuesInView, quantity, kind, scale, colors, drawing, beyond };
}

const pick = ({ level, x, y }: { level: number; x: Int32Array; y: Int32Array }) => ({ level, x, y });

/** Computes the range of the colors where it has to be, and keeps it otherwise. */
function useRange(now: {
  readonly record: SearchRecord;
  readonly subject: RangeSubject | null;
  readonly values: Float64Array;
  readonly quantity: Quantity;
  readonly range: RowsState["range"];
  readonly update: Shown["update"];
}): void {
  const { record, subject, values, quantity, range, update } = now;
  useEffect(() => {
    if (subject === null || values.length === 0) return;
    const before = subjects.get(record.id);
    const isKept =
      range !== undefined && range !== "full" && (range.isTyped === true || before === undefined || keepsRange(before, subject));
    subjects.set(record.id, subject);
    if (isKept) return;
    if (range === "full") {
      // A link shows the colors that its sender saw.
      const full = fullRange(values);
      if (full !== null) update({ range: { ...full, isTyped: true } });
      return;
    }
    const computed = automaticRange(values, quantity);
    if (computed === null ? range !== undefined : computed.low !== range?.low || computed.high !== range.high) {
      update({ range: computed ?? undefined });
    }
  });
}

function subjectOf({ id, run }: SearchRecord, loaded: LoadedGrid | null, { perArea }: ColorBy): RangeSubject | null {
  if (loaded === null) return null;
  const { measure, content } = loaded;
  if (content.kind === "rows" && measure === null) return null;
  const name = measure === null ? (perArea ? "density" : "rows") : `${measure.aggregation} ${measure.column}`;
  return {
    search: `${id} ${run}`,
    // One row has no sum or average, but a value.
    measure: content.kind === "rows" ? `row ${measure?.column}` : name,
    growsWithCell: content.kind === "cells" && (measure === null ? !perArea : measure.aggregation === "sum"),
    level: loaded.range.level,
  };
}

function sumOf(values: Float64Array, indexes: Int32Array): number {
  let sum = 0;
  for (const index of indexes) sum += values[index] ?? 0;
  return sum;
}

/** Rows one by one with their places. */
function placedRows(description: DatasetDescription, loaded: LoadedGrid | null) {
  const found = loaded?.content.kind === "rows" ? loaded.content.rows : [];
  const rows = found.flatMap((row) => {
    const point = rowPoint(description, row);
    return point === null ? [] : [{ row, point }];
  });
  const at: Pick<DrawnDots, "x" | "y"> = {
    x: Int32Array.from(rows, ({ point }) => projectedX(point.lng)),
    y: Int32Array.from(rows, ({ point }) => projectedY(point.lat)),
  };
  return {
    rows: rows.map(({ row }) => row),
    points: rows.map(({ point }) => point),
    at,
    /** The place of a row, as an address holds it; undefined for none. */
    cellOf: (index: number): CellRef | undefined => placeOf(at.x[index], at.y[index]),
    /** The rows at a place. */
    within: (place: CellRef): readonly number[] => [...rows.keys()].filter((index) => isAt(place, at.x[index] ?? -1, at.y[index] ?? -1)),
    inView: ({ left, top, width, height }: ShownView): Int32Array =>
      Int32Array.from(rows.keys()).filter((index) => {
        const [x, y] = [(at.x[index] ?? 0) / worldSize, (at.y[index] ?? 0) / worldSize];
        return y >= top && y <= top + height && x + Math.ceil(left - x) <= left + width;
      }),
  };
}
