import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { type MapView, type MeasureAggregation, measureAggregations } from "@fairway/contract/map-view";
import type { DatasetDraft } from "./dataset-draft.ts";

/** The first look of the map without what a person chooses as the marks of its items, which would come after it. */
export function withoutMark(draft: DatasetDraft, mark: "colorBy" | "sizeBy"): Partial<DatasetDraft> {
  const { mapView } = draft;
  if (mapView?.[mark] === undefined) return {};
  const { [mark]: _removed, ...rest } = mapView;
  return { mapView: isUsual(rest) ? null : rest };
}

/** The draft whose map shows items or all rows first. */
export function withShown({ mapView }: DatasetDraft, show: MapView["show"]): Partial<DatasetDraft> {
  const { rows: _rows, ...marks } = mapView ?? { show };
  const next = show === "rows" ? { ...mapView, show } : { ...marks, show };
  return { mapView: isUsual(next) ? null : next };
}

/** The draft whose cells are colored by a choice of `cellColors`. */
export function withCellColor({ mapView }: DatasetDraft, value: string | null): Partial<DatasetDraft> {
  const { measure: _measure, perArea: _perArea, range: _range, ...look } = mapView?.rows ?? {};
  const [aggregation, column] = value === null ? [] : splitAtSpace(value);
  const isMeasure = measureAggregations.find((one) => one === aggregation);
  const rows = {
    ...look,
    ...(value === perArea && { perArea: true }),
    ...(isMeasure && column !== undefined && { measure: { aggregation: isMeasure, column } }),
  };
  return { mapView: { ...mapView, show: "rows", rows } };
}

/** The choice of a draft; null for rows per cell. */
export function cellColorOf({ mapView }: DatasetDraft): string | null {
  const { measure, perArea: isPerArea } = mapView?.rows ?? {};
  if (measure) return `${measure.aggregation} ${measure.column}`;
  return isPerArea === true ? perArea : null;
}

const perArea = "area";
const aggregationWords: Readonly<Record<MeasureAggregation, string>> = { avg: "Average", sum: "Sum of", min: "Least", max: "Greatest" };

/** The choices that color cells besides their number of rows: numbers, and times by their ends. */
export const cellColors = (columns: readonly Pick<Column, "name" | "label" | "type">[]): { value: string; label: string }[] => [
  { value: perArea, label: "Rows per 100 km²" },
  ...columns.flatMap(({ name, label, type }) =>
    measureAggregations
      .filter((aggregation) => isNumeric(type) || (isTimestamp(type) && (aggregation === "min" || aggregation === "max")))
      .map((aggregation) => ({ value: `${aggregation} ${name}`, label: `${aggregationWords[aggregation]} ${label ?? name}` })),
  ),
];

const splitAtSpace = (text: string): [string, string | undefined] => {
  const at = text.indexOf(" ");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

const isUsual = ({ show, ...rest }: MapView): boolean => show === "items" && Object.keys(rest).length === 0;
