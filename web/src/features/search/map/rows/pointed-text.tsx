import { pluralize } from "@fairway/contract/counts";
import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ScaleText } from "#features/search/map/model/scale-text.ts";
import { colorByText, type ColorBy } from "./measures.ts";
import { cellBoxText, placeDigits, placeText } from "./place-text.ts";
import { rowName } from "./row-text.ts";
import type { ShownCells } from "./use-cells.ts";
import type { PointedAt } from "./use-pointing.ts";

interface Props {
  at: PointedAt;
  cells: ShownCells;
  colorBy: ColorBy;
  column: Column | undefined;
  description: DatasetDescription;
  textOf: ScaleText;
}

/** The numbers of a cell or a row under the mouse. */
export function PointedText({ at, cells: { loaded, placed, values }, colorBy, column, description, textOf }: Props) {
  const unit = (column?.unit ?? "") === "" ? "" : ` ${column?.unit}`;
  if (at.kind === "dots") {
    const [first = 0] = at.group.rows;
    const point = placed.points[first];
    const value = values[first] ?? Number.NaN;
    const name = rowName(description, placed.rows[first] ?? {});
    return (
      <>
        <strong>{at.group.rows.length > 1 ? pluralize(at.group.rows.length, "row") : (name ?? "1 row")}</strong>
        {at.group.rows.length === 1 && column && (
          <span>{Number.isNaN(value) ? `no ${column.name}` : `${column.name} ${textOf(value)}${unit}`}</span>
        )}
        {point && <span>{placeText(point.lat, point.lng, placeDigits)}</span>}
      </>
    );
  }
  if (loaded?.content.kind !== "cells") return null;
  const { rows, counted } = loaded.content.cells;
  const value = values[at.index] ?? Number.NaN;
  return (
    <>
      <strong>{pluralize(rows[at.index] ?? 0, "row")}</strong>
      {colorBy.perArea && <span>{textOf(value)} per 100 km²</span>}
      {counted !== null && (
        <span>
          {Number.isNaN(value)
            ? `${colorByText(colorBy, column ? [column] : [])}: no row has a value`
            : `${colorByText(colorBy, column ? [column] : [])} ${textOf(value)}${unit} of ${pluralize(counted[at.index] ?? 0, "row")}`}
        </span>
      )}
      <span>{cellBoxText(at.cell)}</span>
    </>
  );
}
