import type { DatasetRef } from "@fairway/contract/datasets";
import { columnsKey, type ColumnsPreference } from "@fairway/contract/preferences";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { setPreference, useColumnsPreference } from "#lib/gateway/preferences.ts";
import { clampWidth, type ColumnLayout, adaptLayout, isDefaultLayout, defaultLayout, withVisible, visibleNames } from "./column-layout.ts";

const toLayout = ({ order, hidden, pinned, widths }: ColumnsPreference): ColumnLayout => ({
  order,
  hidden: new Set(hidden),
  pinned: new Set(pinned),
  widths: Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, clampWidth(width)])),
});

const toPreference = ({ order, hidden, pinned, widths }: ColumnLayout): ColumnsPreference => ({
  kind: "columns",
  order: [...order],
  hidden: [...hidden],
  pinned: [...pinned],
  widths: { ...widths },
});

interface Options {
  dataset: DatasetRef;
  /** The dataset's columns in its own order. */
  names: readonly string[];
  /** Those of them that the dataset hides at first. */
  hiddenAtFirst: ReadonlySet<string>;
  /** The visible columns of this search; null if never set. */
  visibleColumns: readonly string[] | null;
  /** Called with the visible names in order, or null for those that the dataset shows at first, in its order. */
  onVisibleChange: (names: readonly string[] | null) => void;
}

/** The column layout of a search: the user's last one for the dataset, with the visible columns of the search. Changes are a preference of the user. */
export function useColumnLayout({
  dataset,
  names,
  hiddenAtFirst,
  visibleColumns,
  onVisibleChange,
}: Options): [ColumnLayout, (layout: ColumnLayout) => void] {
  const key = columnsKey(dataset);
  const preference = useColumnsPreference(key);
  const layout = useMemo(() => {
    const preferred = adaptLayout(preference ? toLayout(preference) : defaultLayout(names, hiddenAtFirst), names, hiddenAtFirst);
    return visibleColumns ? withVisible(preferred, visibleColumns) : preferred;
  }, [preference, names, hiddenAtFirst, visibleColumns]);

  const visible = isDefaultLayout(layout, names, hiddenAtFirst) ? null : visibleNames(layout);
  const visibleKey = visible === null ? null : JSON.stringify(visible);
  const recordKey = visibleColumns === null ? null : JSON.stringify(visibleColumns);
  const latestOnVisibleChange = useRef(onVisibleChange);
  useEffect(() => {
    latestOnVisibleChange.current = onVisibleChange;
  });
  useEffect(() => {
    if (names.length > 0 && visibleKey !== recordKey)
      latestOnVisibleChange.current(visibleKey === null ? null : (JSON.parse(visibleKey) as string[]));
  }, [visibleKey, recordKey, names.length]);

  const change = useCallback(
    (next: ColumnLayout) => {
      setPreference(key, isUnchanged(next, names, hiddenAtFirst) ? undefined : toPreference(next));
      // They win over the preference.
      latestOnVisibleChange.current(isDefaultLayout(next, names, hiddenAtFirst) ? null : visibleNames(next));
    },
    [key, names, hiddenAtFirst],
  );
  return [layout, change];
}

const isUnchanged = (layout: ColumnLayout, names: readonly string[], hiddenAtFirst: ReadonlySet<string>): boolean =>
  isDefaultLayout(layout, names, hiddenAtFirst) && layout.pinned.size === 0 && Object.keys(layout.widths).length === 0;
