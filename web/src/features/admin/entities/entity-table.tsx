import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, useState } from "react";
import { classNames } from "#ui/class-names.ts";
import { type RowsColumn, RowsTable } from "#ui/kit/rows-table.tsx";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import { EntityRowMenu } from "./entity-row-menu.tsx";
import { EntityRowWarnings } from "./entity-row-warnings.tsx";
import { can, type EntityAction, type EntityKind } from "./entity-kind.ts";
import { type EntityRow, type EntitySort, enabledColumn, idColumn } from "./entity-list.ts";
import { trackOf, widthsOf } from "./entity-widths.ts";
import type { RowActions } from "./use-entity-actions.ts";
import classes from "./entities.module.css";

const rowActions: readonly EntityAction[] = ["edit", "copy", "export", "toggle", "remove"];
const rowPx = 32;

interface EntityTableProps {
  kind: EntityKind;
  /** Filtered and sorted. */
  rows: readonly EntityRow[];
  /** Indexes of the shown columns among the kind's. */
  columns: readonly number[];
  sort: EntitySort;
  onSort: (sort: EntitySort) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  actions: RowActions;
}

/** The entities. Space selects a row, Enter edits it, and Shift+F10 opens its menu. */
export function EntityTable({ kind, rows, columns: shownColumns, sort, onSort, selected, onSelect, actions }: EntityTableProps) {
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  // A phone has room only for the name and the menu.
  const columns = phone ? shownColumns.filter((index) => kind.columns[index]?.name === kind.nameField) : shownColumns;
  const [active, setActive] = useState(0);
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const activeIndex = Math.min(active, rows.length - 1);
  const virtual = useVirtualRows({ count: rows.length, rowPx, headPx: rowPx, overscan: 8, kept: activeIndex });

  // Rows of a read-only type cannot be selected.
  const hasActions = rowActions.some((action) => can(kind, action));
  const canToggle = rows.some(({ enabled }) => enabled !== undefined);
  const hasWarnings = rows.some(({ warnings }) => warnings.length > 0);
  // Generated ids are meaningless to people.
  const showsId = !phone || !kind.hasGeneratedId;
  const widths = widthsOf(kind, rows, columns);
  const tracks = [
    hasActions ? "calc(var(--page-pad) + 24px)" : "calc(var(--page-pad) - 12px)",
    ...(showsId ? [phone ? "minmax(96px, 1fr)" : trackOf(widths.id)] : []),
    ...(phone ? columns.map(() => "minmax(88px, 1fr)") : widths.columns.map(trackOf)),
    ...(canToggle ? ["80px"] : []),
    `calc(var(--page-pad) + ${hasWarnings ? 68 : 36}px)`,
  ].join(" ");

  const edit = (row: EntityRow) => {
    if (can(kind, "edit")) actions(row)[0]?.run();
  };
  const toggle = ({ id }: EntityRow) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  const onKey = (event: KeyboardEvent, row: EntityRow, isOnRow: boolean) => {
    if (pressed(event, "entities.menu")) setMenuOf(row.id);
    else if (!isOnRow) return false;
    else if (pressed(event, "entities.select") && hasActions) toggle(row);
    else if (pressed(event, "entities.edit") && can(kind, "edit")) edit(row);
    else return false;
    return true;
  };
  return (
    <RowsTable
      label={kind.title}
      columns={[
        ...(showsId ? [idColumnOf(kind)] : []),
        ...columns.map((index) => valueColumn(kind, index)),
        ...(canToggle ? [stateColumn] : []),
        ...(hasActions || hasWarnings ? [menuColumn({ hasActions, actions, edit, menuOf, setMenuOf })] : []),
      ]}
      rows={rows}
      rowKey={({ id }) => id}
      virtual={virtual}
      sort={sort}
      onSort={onSort}
      selection={{
        selected,
        boxes: hasActions ? { all: "Select all", of: ({ name }) => `Select ${name}` } : null,
        toggle,
        toggleAll: (isSelected) => onSelect(new Set(isSelected ? rows.map(({ id }) => id) : [])),
      }}
      focus={{ active: activeIndex, onActive: setActive, onKey }}
      tracks={tracks}
      className={classes["table"]}
    />
  );
}

type EntityColumn = RowsColumn<EntityRow, number>;

const idColumnOf = ({ hasGeneratedId }: EntityKind): EntityColumn => ({
  id: "id",
  header: "id",
  sortsBy: idColumn,
  className: classes["cell"],
  cellClassName: classes["mono"],
  tooltip: ({ id }) => id,
  marks: () => ({ "data-generated": hasGeneratedId }),
  cell: ({ id }) => id,
});

function valueColumn(kind: EntityKind, index: number): EntityColumn {
  const { name = "", mono, isPath, number } = kind.columns[index] ?? {};
  const textOf = ({ cells }: EntityRow) => cells[index] ?? "";
  return {
    id: `value-${index}`,
    header: name,
    sortsBy: index,
    className: classes["cell"],
    cellClassName: classNames(mono && classes["mono"], isPath && classes["path"], number && classes["number"]),
    tooltip: textOf,
    marks: () => ({ "data-name": name === kind.nameField || undefined }),
    cell: (row) => (isPath ? <bdi dir="ltr">{textOf(row)}</bdi> : textOf(row)),
  };
}

const stateColumn: EntityColumn = {
  id: "state",
  header: "enabled",
  sortsBy: enabledColumn,
  className: classes["cell"],
  cell: ({ enabled }) => (
    <>
      <span className={classes["dot"]} data-enabled={enabled} />
      <span className={enabled === true ? "visually-hidden" : classes["muted"]}>{enabled === true ? "enabled" : "disabled"}</span>
    </>
  ),
};

interface MenuOptions {
  hasActions: boolean;
  actions: RowActions;
  edit: (row: EntityRow) => void;
  /** Id of the row whose menu is open. */
  menuOf: string | null;
  setMenuOf: (id: string | null) => void;
}

const menuColumn = ({ hasActions, actions, edit, menuOf, setMenuOf }: MenuOptions): EntityColumn => ({
  id: "menu",
  header: <span className="visually-hidden">Actions</span>,
  className: classes["menu"],
  cell: (row, tabIndex) => (
    <>
      {row.warnings.length > 0 && (
        <EntityRowWarnings name={row.name} warnings={row.warnings} tabIndex={tabIndex} onOpen={() => edit(row)} />
      )}
      {hasActions && (
        <EntityRowMenu
          name={row.name}
          tabIndex={tabIndex}
          actions={() => actions(row)}
          opened={menuOf === row.id}
          onChange={(opened) => setMenuOf(opened ? row.id : null)}
        />
      )}
    </>
  ),
});
