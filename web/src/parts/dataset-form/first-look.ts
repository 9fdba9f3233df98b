import type { Column } from "@fairway/contract/columns";
import { type MapRowsView, type MapView, measureAggregations } from "@fairway/contract/map-view";
import { aggregationsOf, measureText, type Quantity, type RangeMode, rowsPerArea } from "#parts/map-look/rows-look.ts";
import type { DatasetDraft } from "./dataset-draft.ts";

/** The first look of the map without what a person chooses as the marks of its items, which would come after it. */
export function withoutMark(draft: DatasetDraft, mark: "colorBy" | "sizeBy"): Partial<DatasetDraft> {
  const { mapView } = draft;
  if (mapView?.[mark] === undefined) return {};
  const { [mark]: _removed, ...rest } = mapView;
  return withView(rest);
}

/** The draft whose map shows items or all rows first. */
export const withShown = ({ mapView }: DatasetDraft, show: MapView["show"]): Partial<DatasetDraft> => withView({ ...mapView, show });

type RowsChange = { readonly [Name in keyof MapRowsView]?: MapRowsView[Name] | undefined };

/** The draft whose map of all rows has these settings; undefined ones are left to the map. */
export function withRowsLook({ mapView }: DatasetDraft, change: RowsChange): Partial<DatasetDraft> {
  const { rows, ...view } = mapView ?? { show: "items" };
  const kept = Object.fromEntries(Object.entries({ ...rows, ...change }).filter(([, value]) => value !== undefined));
  return withView({ ...view, ...(Object.keys(kept).length > 0 && { rows: kept }) });
}

/** The draft whose cells are colored by a choice of `cellColors`. */
export function withCellColor(draft: DatasetDraft, value: string | null): Partial<DatasetDraft> {
  const [named, column] = value === null ? [] : splitAtSpace(value);
  const aggregation = measureAggregations.find((one) => one === named);
  return withRowsLook(draft, {
    perArea: value === perArea ? true : undefined,
    measure: aggregation !== undefined && column !== undefined ? { aggregation, column } : undefined,
    // A range is of the values of its measure.
    range: draft.mapView?.rows?.range === "full" ? "full" : undefined,
  });
}

/** The choice of a draft; null for rows per cell. */
export function cellColorOf({ mapView }: DatasetDraft): string | null {
  const { measure, perArea: isPerArea } = mapView?.rows ?? {};
  if (measure) return `${measure.aggregation} ${measure.column}`;
  return isPerArea === true ? perArea : null;
}

export const quantityOf = ({ mapView }: DatasetDraft): Quantity => {
  const { measure, perArea: isPerArea } = mapView?.rows ?? {};
  return measure ? "measure" : isPerArea === true ? "density" : "count";
};

export const rangeModeOf = ({ mapView }: DatasetDraft): RangeMode => {
  const range = mapView?.rows?.range;
  return range === undefined ? "automatic" : range === "full" ? "full" : "typed";
};

const perArea = "area";

/** The choices that color cells besides their number of rows: numbers, and times by their ends. */
export const cellColors = (columns: readonly Pick<Column, "name" | "label" | "type">[]): { value: string; label: string }[] => [
  { value: perArea, label: rowsPerArea },
  ...columns.flatMap((column) =>
    aggregationsOf(column).map((aggregation) => ({
      value: `${aggregation} ${column.name}`,
      label: measureText(aggregation, column, column.label ?? column.name),
    })),
  ),
];

const splitAtSpace = (text: string): [string, string | undefined] => {
  const at = text.indexOf(" ");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

/** Items in their usual look need no settings. */
const withView = (view: MapView): Partial<DatasetDraft> => ({
  mapView: view.show === "items" && Object.keys(view).length === 1 ? null : view,
});
