import { type Column, columnLabelCharacters } from "@fairway/contract/columns";
import { Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { memo, type PointerEvent, useEffect, useMemo, useState } from "react";
import { IconGripVertical } from "#ui/icons/grip-vertical.ts";
import { RowsTable, type RowsColumn } from "#ui/kit/rows-table.tsx";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
import { type ColumnFacts, fixedTypeText } from "./column-facts.ts";
import type { ColumnChange } from "./column-moves.ts";
import { useDatasetForm } from "./form-context.ts";
import classes from "./dataset-form.module.css";

interface Props {
  /** Those that match the filter. */
  columns: readonly Column[];
  all: readonly Column[];
  facts: (column: Column) => ColumnFacts;
  selected: ReadonlySet<string>;
  /** The column of `all` to lead to. */
  revealed: { readonly index: number } | null;
  onChange: (name: string, change: ColumnChange) => void;
  onMove: (name: string, target: string) => void;
  onSelect: (names: readonly string[], isSelected: boolean) => void;
  onType: (names: readonly string[], key: string) => void;
}

const headPx = 32;
const rowPx = { wide: 64, narrow: 232 } as const;

const heads: readonly RowsColumn<Column>[] = [
  { id: "move", header: <span className="visually-hidden">Order</span> },
  { id: "name", header: "Column" },
  { id: "label", header: "Label" },
  { id: "type", header: "Type" },
  { id: "unit", header: "Unit" },
  { id: "description", header: "Description" },
  { id: "shown", header: "Shown" },
  { id: "filled", header: "Filled" },
];

/** The columns as virtual rows of fields. */
export function ColumnTable(props: Props) {
  const { columns, all, facts, selected, revealed, onChange, onMove, onSelect, onType } = props;
  const { problems } = useDatasetForm();
  const isNarrow = useMediaQuery("(max-width: 900px)", undefined, { getInitialValueInEffect: false });
  const [dragged, setDragged] = useState<string | null>(null);
  const height = isNarrow ? rowPx.narrow : rowPx.wide;
  const virtual = useVirtualRows({
    count: columns.length,
    rowPx: height,
    overscan: 6,
    headPx: isNarrow ? 0 : headPx,
    keyOf: (index) => columns[index]?.name ?? index,
  });
  const { virtualizer, scroller } = virtual;
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  useEffect(() => {
    const name = revealed === null ? undefined : all[revealed.index]?.name;
    const index = columns.findIndex((column) => column.name === name);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "center" });
    // oxlint-disable-next-line react/exhaustive-deps -- only a new wish scrolls
  }, [revealed]);
  const problemOf = useMemo(() => {
    const first = new Map<string, { field: string; message: string }>();
    for (const { path, message } of problems) {
      const name = path[0] === "schema" && typeof path[2] === "number" ? all[path[2]]?.name : undefined;
      if (name !== undefined && !first.has(name)) first.set(name, { field: String(path[3] ?? "name"), message });
    }
    return first;
  }, [problems, all]);

  const dragOver = ({ clientY }: PointerEvent) => {
    if (dragged === null) return;
    const over = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-column-row]") ?? [])].find((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return clientY >= top && clientY < bottom;
    });
    const target = over?.dataset["columnRow"];
    if (target !== undefined && target !== dragged) onMove(dragged, target);
    const box = scroller.current?.getBoundingClientRect();
    if (box && clientY > box.bottom - 32) scroller.current?.scrollBy({ top: 12 });
    if (box && clientY < box.top + 32 + headPx) scroller.current?.scrollBy({ top: -12 });
  };
  const hasAll = columns.every(({ name }) => selected.has(name));
  const select: RowsColumn<Column> = {
    id: "select",
    header: (
      <Checkbox
        aria-label="Select all columns"
        checked={hasAll}
        indeterminate={!hasAll && columns.some(({ name }) => selected.has(name))}
        onChange={() =>
          onSelect(
            columns.map(({ name }) => name),
            !hasAll,
          )
        }
      />
    ),
  };
  return (
    <div className={classes["columnTable"]} style={{ height: Math.min(columns.length * height + headPx + 2, 560) }}>
      <RowsTable
        label="Columns"
        columns={[select, ...heads]}
        rows={columns}
        rowKey={({ name }) => name}
        virtual={virtual}
        rowCount={columns.length + 1}
        renderCells={(column) => (
          <ColumnCells
            column={column}
            facts={facts(column)}
            isSelected={selected.has(column.name)}
            isDragged={dragged === column.name}
            problem={problemOf.get(column.name)}
            onChange={onChange}
            onSelect={onSelect}
            onType={onType}
            grip={{
              onPointerDown: (event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(column.name);
              },
              onPointerMove: dragOver,
              onPointerUp: () => setDragged(null),
              onPointerCancel: () => setDragged(null),
            }}
          />
        )}
        rowClassName={classes["columnRow"]}
      />
    </div>
  );
}

interface GripHandlers {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
}

interface CellsProps extends Pick<Props, "onChange" | "onSelect" | "onType"> {
  column: Column;
  facts: ColumnFacts;
  isSelected: boolean;
  isDragged: boolean;
  problem: { field: string; message: string } | undefined;
  grip: GripHandlers;
}

// A letter in one field draws one row.
const ColumnCells = memo(
  function ColumnCells({ column, facts, isSelected, isDragged, problem, grip, onChange, onSelect, onType }: CellsProps) {
    const { name, label = "", unit = "", description, combined } = column;
    const { examples, filledPercent, ways, way } = facts;
    const invalid = (field: string) => (problem?.field === field ? { "aria-invalid": true } : {});
    return (
      <div
        className={classes["cells"]}
        data-column-row={name}
        data-dragged={isDragged || undefined}
        data-hidden={column.hidden || undefined}
      >
        <div role="cell" data-column="select">
          <Checkbox
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={(event) => onSelect([name], event.currentTarget.checked)}
          />
        </div>
        <div role="cell" data-column="move">
          <button
            type="button"
            className={classes["grip"]}
            data-field="move"
            aria-label={`Move ${name}`}
            title="Drag to move, or Alt+Up and Alt+Down"
            {...grip}
          >
            <IconGripVertical size={14} aria-hidden />
          </button>
        </div>
        <div role="rowheader" data-column="name" title={name}>
          <b>{name}</b>
          {problem ? (
            <small className={classes["problem"]}>{`${problem.field} ${problem.message}`}</small>
          ) : (
            <small title={examples.join(" · ")}>{examples.join(" · ")}</small>
          )}
        </div>
        <div role="cell" data-column="label" data-caption="Label">
          <input
            aria-label={`Label of ${name}`}
            data-field="label"
            placeholder={name}
            maxLength={columnLabelCharacters}
            value={label}
            {...invalid("label")}
            onChange={(event) => onChange(name, { label: event.currentTarget.value })}
          />
        </div>
        <div role="cell" data-column="type" data-caption="Type">
          {ways.length > 1 ? (
            <select
              aria-label={`Type of ${name}`}
              data-field="type"
              value={way ?? ""}
              onChange={(event) => onType([name], event.currentTarget.value)}
            >
              {ways.map(({ key, label: text }) => (
                <option key={key} value={key}>
                  {text}
                </option>
              ))}
            </select>
          ) : (
            <span>{ways[0]?.label.replace(/: [^:]* lost$/, "") ?? fixedTypeText(column)}</span>
          )}
        </div>
        <div role="cell" data-column="unit" data-caption="Unit">
          {combined === null && (
            <input
              aria-label={`Unit of ${name}`}
              data-field="unit"
              value={unit}
              {...invalid("unit")}
              onChange={(event) => onChange(name, { unit: event.currentTarget.value })}
            />
          )}
        </div>
        <div role="cell" data-column="description" data-caption="Description">
          <textarea
            aria-label={`Description of ${name}`}
            data-field="description"
            value={description}
            {...invalid("description")}
            onChange={(event) => onChange(name, { description: event.currentTarget.value })}
          />
        </div>
        <div role="cell" data-column="shown" data-caption="Shown at first">
          <Checkbox
            aria-label={`Show ${name} at first`}
            data-field="shown"
            checked={column.hidden !== true}
            onChange={(event) => onChange(name, { hidden: !event.currentTarget.checked })}
          />
        </div>
        <div role="cell" data-column="filled" data-caption="Filled">
          {filledPercent === null ? "" : `${filledPercent} %`}
        </div>
      </div>
    );
  },
  (before, after) =>
    before.column === after.column &&
    before.facts === after.facts &&
    before.isSelected === after.isSelected &&
    before.isDragged === after.isDragged &&
    before.problem === after.problem &&
    // The grip closes over what is dragged.
    !before.isDragged,
);
