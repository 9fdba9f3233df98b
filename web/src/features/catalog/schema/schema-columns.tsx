import { ownValue } from "@fairway/contract/records";
import { pluralize } from "@fairway/contract/counts";
import type { DatasetProfile } from "@fairway/contract/dataset-profiles";
import type { DatasetRef, SchemaColumn } from "@fairway/contract/datasets";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { RowsTable } from "#ui/kit/rows-table.tsx";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
import { type Draft, storedText, withColumn } from "../descriptions/description-draft.ts";
import { useJump } from "../suggestions/use-jump.ts";
import { SchemaRow } from "./schema-row.tsx";
import { useTarget } from "./use-target.ts";
import classes from "./schema.module.css";

interface Props {
  dataset: DatasetRef;
  /** Those that match the filter. */
  columns: readonly SchemaColumn[];
  coarse: CoarseColumns;
  total: number;
  /** Pattern of the highlighted text. */
  find: RegExp | null;
  /** The column to scroll to, as a link to it names it. */
  target: string | null;
  /** Scrolls the list, with what is above it. */
  scroller: RefObject<HTMLDivElement | null>;
  draft: Draft | null;
  onDraft: (draft: Draft) => void;
  /** Null for datasets that have no profile; undefined until it is known. */
  profile: DatasetProfile | null | undefined;
}

const rowPx = 56;

/** The columns with their descriptions, as virtual rows of different heights. */
export function SchemaColumns({ dataset, columns, coarse, total, find, target, scroller, draft, onDraft, profile }: Props) {
  const profiles = useMemo(() => new Map(profile?.columns.map((column) => [column.name, column])), [profile]);
  const list = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // The descriptions above grow while they are edited.
  useLayoutEffect(() => {
    const above = list.current?.parentElement?.parentElement;
    const measure = () => setScrollMargin(list.current?.offsetTop ?? 0);
    measure();
    if (!above) return undefined;
    const observer = new ResizeObserver(measure);
    for (const part of above.children) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  const virtual = useVirtualRows({
    count: columns.length,
    rowPx,
    overscan: 6,
    marginPx: scrollMargin,
    // A new function on every render: with one that stays, the rows stand elsewhere after the window became narrower.
    keyOf: (index) => columns[index]?.name ?? index,
    scroller,
  });
  const { virtualizer } = virtual;
  useJump((wanted) => {
    if (wanted === null) scroller.current?.scrollTo({ top: 0 });
    else
      virtualizer.scrollToIndex(
        Math.max(
          0,
          columns.findIndex(({ name }) => name === wanted),
        ),
        { align: "center" },
      );
  });
  useTarget({ scroller, scrollMargin, index: columns.findIndex(({ name }) => name === target) }, (index) =>
    virtualizer.scrollToIndex(index, { align: "center" }),
  );
  const latest = useRef({ draft, onDraft });
  useLayoutEffect(() => {
    latest.current = { draft, onDraft };
  });
  const onEdit = useCallback((column: SchemaColumn, text: string | null) => {
    const { draft: current, onDraft: change } = latest.current;
    if (current) change(withColumn(current, column.name, text, storedText(current, column)));
  }, []);
  return (
    <RowsTable
      label="Columns"
      columns={[
        ...["Column", "System", "Community", "Private"].map((name) => ({ id: name, header: name })),
        ...(profile === null ? [] : [{ id: "Profile", header: <ProfileHeader rows={profile?.rows} /> }]),
      ]}
      rows={columns}
      rowKey={({ name }) => name}
      virtual={virtual}
      rowCount={total + 1}
      renderCells={(column) => (
        <SchemaRow
          dataset={dataset}
          column={column}
          coarse={coarse.get(column.name)}
          find={find}
          mode={draft?.mode ?? null}
          edit={draft ? ownValue(draft.columns, column.name) : undefined}
          onEdit={onEdit}
          profile={profile === null ? null : profiles.get(column.name)}
        />
      )}
      current={target}
      isMeasured
      hasBareHead
      bodyRef={list}
      className={profile === null ? undefined : classes["profiled"]}
      rowClassName={classes["row"]}
    />
  );
}

const ProfileHeader = ({ rows }: { rows: number | undefined }) => (
  <>
    {"Profile"}
    {rows !== undefined && <span className={classes["rowCount"]}> {pluralize(rows, "row")}</span>}
  </>
);
