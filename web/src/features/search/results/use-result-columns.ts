import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { useMemo } from "react";
import { columnsNamed } from "#parts/search-model/columns-named.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { type ColumnLayout, columnsOf, visibleNames } from "./table/column-layout.ts";
import { useColumnLayout } from "./table/use-column-layout.ts";

export interface ResultColumns {
  readonly columns: readonly Column[];
  /** The visible columns in the user's order. */
  readonly visible: readonly Column[];
  readonly layout: ColumnLayout;
  readonly onLayoutChange: (layout: ColumnLayout) => void;
}

/** The columns of a search's rows and their layout. */
export function useResultColumns(record: SearchRecord, rows: readonly ResultRow[]): ResultColumns {
  const { id, datasetDescription: description } = record;
  const columns = useMemo(() => columnsOf(description.schema.columns, rows), [description, rows]);
  const hiddenNames = useStableNames(columns.filter(({ hidden }) => hidden === true));
  const hiddenAtFirst = useMemo(() => new Set(hiddenNames), [hiddenNames]);
  const [layout, onLayoutChange] = useColumnLayout({
    dataset: { datasetCategory: description.category.id, datasetId: description.datasetId },
    names: useStableNames(columns),
    hiddenAtFirst,
    visibleColumns: record.visibleColumns,
    onVisibleChange: (visible) => openSearches.setVisibleColumns(id, visible),
  });
  const visible = useMemo(() => columnsNamed(columns, visibleNames(layout)), [columns, layout]);
  return { columns, visible, layout, onLayoutChange };
}

/** The column names, as the same array until they change. */
function useStableNames(columns: readonly Column[]): readonly string[] {
  const key = JSON.stringify(columns.map((column) => column.name));
  return useMemo(() => JSON.parse(key) as string[], [key]);
}
