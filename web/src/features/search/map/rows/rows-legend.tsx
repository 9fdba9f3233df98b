import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { ReaderAccess } from "@fairway/contract/dataset-access";
import { cellWidthM, type ScaleText } from "#features/search/map/model/scale-text.ts";
import { ScaleLegend } from "#features/search/map/frame/scale-legend.tsx";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { columnText } from "#lib/text/column-text.ts";
import { colorByTitle, columnOfMeasure, type ColorBy } from "./measures.ts";
import { countTexts } from "./rows-counts.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import type { ShownCells } from "./use-cells.ts";
import type { GridState } from "./grid-session.ts";
import type { ShownView } from "./grid-view.ts";
import classes from "./rows.module.css";
import { shortTextOf } from "./value-text.ts";

interface Props {
  cells: ShownCells;
  state: GridState;
  view: ShownView | null;
  /** The shown steps of a playback; null for all rows. */
  timeText: string | null;
  rows: RowsState;
  colorBy: ColorBy;
  columns: readonly Column[];
  textOf: ScaleText;
  access: ReaderAccess | undefined;
  coarse: CoarseColumns;
  /** The search is narrowed to a cell, which the map does not follow. */
  isNarrowed: boolean;
  onChange: (changed: { readonly [Name in keyof RowsState]?: RowsState[Name] | undefined }) => void;
  form?: "panel" | "strip";
}

/** Meaning of the colors, and how many rows the map shows and leaves out. */
export function RowsLegend({
  cells,
  state,
  timeText,
  view,
  rows,
  colorBy,
  columns,
  textOf,
  access,
  coarse,
  isNarrowed,
  onChange,
  form = "panel",
}: Props) {
  const { totals, loaded } = state;
  const isDots = loaded?.content.kind === "rows";
  const texts = [
    ...(timeText === null ? [] : [timeText]),
    ...(isDots ? ["Each dot is a row"] : []),
    ...(totals === null ? [] : countTexts(totals, loaded === null ? null : cells.rowsInView)),
    ...(isNarrowed ? ["The map shows the rows outside of the cell as well"] : []),
  ];
  const sentences =
    texts.length === 0 ? null : (
      <>
        {texts.map((text) => (
          <span key={text}>{text}</span>
        ))}
        {form === "panel" && <PartOfRows access={access} />}
      </>
    );
  if (cells.scale === null) return form === "strip" || sentences === null ? null : <p className={classes["counts"]}>{sentences}</p>;
  const measured = columnOfMeasure(columns, colorBy);
  const column = measured !== undefined && isTimestamp(measured.type) ? measured : undefined;
  const hasHollow = colorBy.measure !== null && cells.valuesInView.some(Number.isNaN);
  return (
    <ScaleLegend
      title={isDots && measured ? columnText(measured) : colorByTitle(colorBy, columns)}
      mark={<CoarseMark form={measured && coarse.get(measured.name)} />}
      scale={cells.scale}
      beyond={cells.beyond}
      textOf={textOf}
      shortTextOf={column === undefined ? undefined : shortTextOf(textOf, column)}
      settings={{ view: rows, quantity: cells.quantity, values: cells.valuesInView, onChange }}
      cellWidthM={isDots ? undefined : cellWidthAt(loaded?.range.level, view)}
      missing={hasHollow ? "no value" : undefined}
      timeText={timeText ?? undefined}
      note={isDots ? eachDot : undefined}
      form={form}
    >
      <span className={classes["sentences"]}>{sentences}</span>
    </ScaleLegend>
  );
}

/** Beside the measure, where there are no sentences. */
export const eachDot = "each dot is a row";

/** In meters at the middle of the view. */
function cellWidthAt(level: number | undefined, view: ShownView | null): number | undefined {
  if (level === undefined || view === null) return undefined;
  const middle = view.top + view.height / 2;
  return cellWidthM(level, (Math.atan(Math.sinh(Math.PI * (1 - 2 * middle))) * 180) / Math.PI);
}
