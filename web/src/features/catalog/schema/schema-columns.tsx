import { columnTypeNameOf } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import type { DatasetProfile, ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { SchemaColumn } from "@fairway/contract/datasets";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { findPattern } from "#lib/find-text.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { DescriptionField, DescriptionText } from "../descriptions/description-field.tsx";
import { type Draft, type DraftMode, isConflict, storedText, withColumn } from "../descriptions/description-draft.ts";
import { Suggestions } from "../suggestions/suggestions.tsx";
import { useJump } from "../suggestions/use-jump.ts";
import classes from "./schema.module.css";

const ColumnProfile = lazyPart(() => import("./column-profile.tsx"));

interface Props {
  /** Those that match the filter. */
  columns: readonly SchemaColumn[];
  total: number;
  /** What the filter looks for. */
  find: string;
  /** Scrolls the list, with what is above it. */
  scroller: RefObject<HTMLDivElement | null>;
  draft: Draft | null;
  onDraft: (draft: Draft) => void;
  /** Null for datasets that have no profile; undefined until it is known. */
  profile: DatasetProfile | null | undefined;
}

const rowPx = 56;

/** The columns with their descriptions, as virtual rows of different heights. */
export function SchemaColumns({ columns, total, find, scroller, draft, onDraft, profile }: Props) {
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
  const virtualizer = useVirtualizer({
    count: columns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => columns[index]?.name ?? index,
    estimateSize: () => rowPx,
    overscan: 6,
    scrollMargin,
  });
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
  const rows = virtualizer.getVirtualItems();
  const pattern = findPattern(find);
  return (
    <div
      role="table"
      aria-label="Columns"
      aria-rowcount={total + 1}
      className={classes["table"]}
      data-profiled={profile !== null || undefined}
    >
      <div role="row" aria-rowindex={1} className={classes["head"]}>
        {["Column", "System", "Community", "Private"].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
        {profile !== null && (
          <span role="columnheader">
            {"Profile"}
            {profile && <span className={classes["rowCount"]}> {pluralize(profile.rows, "row")}</span>}
          </span>
        )}
      </div>
      <div ref={list} role="rowgroup" className={classes["rows"]} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const column = columns[index];
          return (
            column && (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                ref={virtualizer.measureElement}
                className={classes["row"]}
                style={{ transform: `translateY(${start - scrollMargin}px)` }}
              >
                <div role="rowheader">
                  <b>
                    <Highlighted text={column.name} find={pattern} />
                  </b>
                  <span className={classes["type"]}>{columnTypeNameOf(column.type)}</span>
                </div>
                <div role="cell" data-layer="System">
                  <DescriptionText text={column.description} />
                </div>
                <LayerCell column={column} mode="community" draft={draft} onDraft={onDraft} />
                <LayerCell column={column} mode="private" draft={draft} onDraft={onDraft} />
                {profile !== null && <ProfileCell profile={profiles.get(column.name)} />}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function ProfileCell({ profile }: { profile: ProfiledColumn | undefined }) {
  return (
    <div role="cell" data-layer="Profile">
      {profile ? <ColumnProfile profile={profile} /> : <span data-empty />}
    </div>
  );
}

interface LayerCellProps {
  column: SchemaColumn;
  mode: DraftMode;
  draft: Draft | null;
  onDraft: (draft: Draft) => void;
}

function LayerCell({ column, mode, draft, onDraft }: LayerCellProps) {
  const { name } = column;
  const stored = storedText({ mode }, column);
  const edit = draft?.columns[name];
  return (
    <div role="cell" data-layer={mode === "community" ? "Community" : "Private"}>
      {draft?.mode === mode ? (
        <DescriptionField
          label={`${mode === "community" ? "Community" : "Private"} description of ${name}`}
          placeholder={mode === "community" ? `Describe ${name} for everyone` : `Describe ${name} for yourself`}
          maxLength={5_000}
          stored={stored}
          text={edit?.text ?? stored}
          isConflict={isConflict(edit, stored)}
          onChange={(text) => onDraft(withColumn(draft, name, text, stored))}
        />
      ) : (
        <DescriptionText text={stored} />
      )}
      {mode === "community" && draft === null && <Suggestions columnName={name} stored={stored} />}
    </div>
  );
}
