import { Button } from "@mantine/core";
import { type ComponentProps, type CSSProperties, Fragment, type ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import { IconButton } from "#ui/icon-button.tsx";
import type { VirtualRows } from "./use-virtual-rows.ts";
import classes from "./kit.module.css";

export interface TableColumn<Row> {
  /** Unique among the columns. */
  id: string;
  header: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  /** Its cells name their rows. */
  isRowHeader?: boolean;
  align?: "end" | undefined;
  mono?: boolean;
  nowrap?: boolean;
  /** Digits of one width. */
  tabular?: boolean;
  /** Rows are in this order of the column. */
  sorted?: "ascending" | "descending" | undefined;
  /** As wide as its widest cell, so that it keeps its width while virtual rows come and go. */
  widest?: ReactNode;
  /** Cell in the footer. Without one in any column, there is no footer. */
  foot?: ReactNode;
  /** In front of the value, where a phone shows cards. */
  phoneLabel?: string;
  tooltip?: (row: Row) => string;
  className?: string | undefined;
  /** Of the cells below the header, where rows differ. */
  cellClassName?: (row: Row) => string | undefined;
}

export interface RowAction {
  /** Accessible name, with what names the row. */
  label: string;
  /** A button with text; otherwise one with an icon. */
  text?: string;
  icon?: ReactNode;
  opensDialog?: boolean;
  run: () => void;
}

/** The accessible name, by itself or by the element with this id. */
type Named = { label?: string; labelledBy?: string };

export interface DataTableProps<Row> extends Named {
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, index: number) => string | number;
  /** In a region that scrolls, also by keyboard. It fills the height that is left if `fills`. */
  scroll?: Named & { role: "region" | "group"; fills?: boolean; className?: string | undefined };
  /** A last column of buttons. The header is for assistive technology only. */
  rowActions?: { header: string; of: (row: Row) => readonly RowAction[]; className?: string | undefined };
  /** Attributes by which styles distinguish rows. */
  marks?: (row: Row) => Readonly<Record<`data-${string}`, boolean | undefined>>;
  /** Only those in view are in the document. The table scrolls in the scroller of these, so `scroll` is given too. */
  virtual?: VirtualRows | undefined;
  /** Rows that stay in view below the others, above the footer. */
  pinned?: readonly Row[];
  /** In a row of its own below the row, which gets `data-has-note`. */
  noteOf?: (row: Row) => ReactNode;
  /** Below the table, in its region. */
  after?: ReactNode;
  /** Cells hold values of data: each in one line, digits of one width. */
  holdsValues?: boolean;
  /** Edges of the first and the last cell: at the edges of the page, or flush with what is around the table. */
  edges?: "page" | "flush";
  /** A panel, a stronger line, or both. */
  head?: "panel" | "line" | "panel line";
  /** The header stays while the rows scroll. */
  hasStickyHead?: boolean;
  /** The row under the pointer stands out. */
  hovers?: boolean;
  /** On a phone, each row is a card. */
  hasCardsOnPhone?: boolean;
  /** A phone scrolls the table sideways from this width, rather than breaking every cell. */
  phonePx?: number;
  className?: string | undefined;
}

/** A table that is read, with a button here and there: no row or cell has the focus. Names are passed as they are. */
export function DataTable<Row>({ scroll, after, ...table }: DataTableProps<Row>) {
  if (!scroll) return <Table {...table} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div
      ref={table.virtual?.scroller}
      role={scroll.role}
      aria-label={scroll.label}
      aria-labelledby={scroll.labelledBy}
      tabIndex={0}
      className={classNames(classes["scroll"], scroll.className)}
      data-fills={scroll.fills || undefined}
    >
      <Table {...table} />
      {after}
    </div>
  );
}

function Table<Row>({
  columns,
  rows,
  rowKey,
  label,
  labelledBy,
  rowActions,
  marks,
  virtual,
  pinned,
  noteOf,
  holdsValues,
  edges,
  head,
  hasStickyHead,
  hovers,
  hasCardsOnPhone,
  phonePx,
  className,
}: Omit<DataTableProps<Row>, "scroll" | "after">) {
  const span = columns.length + (rowActions ? 1 : 0);
  const hasFoot = columns.some(({ foot }) => foot !== undefined);
  const rowOf = (row: Row, index: number, attributes: Attributes = {}) => {
    const note = noteOf?.(row) ?? null;
    return (
      <Fragment key={rowKey(row, index)}>
        <tr data-has-note={note !== null || undefined} aria-rowindex={virtual ? index + 2 : undefined} {...marks?.(row)} {...attributes}>
          {columns.map((column) => {
            const Cell = column.isRowHeader ? "th" : "td";
            return (
              <Cell
                key={column.id}
                scope={column.isRowHeader ? "row" : undefined}
                title={column.tooltip?.(row)}
                data-label={column.phoneLabel}
                {...styleOf(column)}
                className={classNames(column.className, column.cellClassName?.(row))}
              >
                {column.cell(row, index)}
              </Cell>
            );
          })}
          {rowActions && (
            <td className={rowActions.className}>
              {rowActions.of(row).map((action) => (
                <ActionButton key={action.label} {...action} />
              ))}
            </td>
          )}
        </tr>
        {note !== null && (
          <tr className={classes["note"]}>
            <td colSpan={span}>{note}</td>
          </tr>
        )}
      </Fragment>
    );
  };
  return (
    <table
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-rowcount={virtual && rows.length + (pinned?.length ?? 0) + (hasFoot ? 2 : 1)}
      className={classNames(classes["table"], className)}
      data-values={holdsValues || undefined}
      data-edges={edges}
      data-head={head}
      data-sticky={hasStickyHead || undefined}
      data-hovers={hovers || undefined}
      data-cards={hasCardsOnPhone || undefined}
      style={phonePx === undefined ? undefined : ({ "--phone-width": `${phonePx}px` } as CSSProperties)}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" aria-sort={column.sorted} {...styleOf(column)}>
              {column.header}
            </th>
          ))}
          {rowActions && (
            <th scope="col">
              <span className="visually-hidden">{rowActions.header}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {virtual ? (
          <>
            <tr aria-hidden className={classes["widest"]}>
              {columns.map((column) => (
                <td key={column.id} {...styleOf(column)}>
                  {column.widest}
                </td>
              ))}
            </tr>
            {inView(virtual, rows).map((part) =>
              "px" in part ? (
                <tr key={part.key} aria-hidden className={classes["gap"]}>
                  {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- holds the room of rows that are not in the document */}
                  <td colSpan={span} style={{ height: part.px, width: "auto" }} />
                </tr>
              ) : (
                rowOf(part.row, part.index, { ref: virtual.virtualizer.measureElement, "data-index": part.index })
              ),
            )}
          </>
        ) : (
          rows.map((row, index) => rowOf(row, index))
        )}
      </tbody>
      {(hasFoot || (pinned && pinned.length > 0)) && (
        <tfoot>
          {pinned?.map((row, index) => rowOf(row, rows.length + index, { "data-pinned": true }))}
          {hasFoot && (
            <tr>
              {columns.map((column) => {
                if (column.foot === undefined) return null;
                const Cell = column.isRowHeader ? "th" : "td";
                return (
                  <Cell key={column.id} scope={column.isRowHeader ? "row" : undefined} {...styleOf(column)}>
                    {column.foot}
                  </Cell>
                );
              })}
            </tr>
          )}
        </tfoot>
      )}
    </table>
  );
}

type Attributes = ComponentProps<"tr"> & Readonly<Record<`data-${string}`, boolean | number | undefined>>;

/** Virtual rows with the room of those between them. */
function inView<Row>({ virtualizer, marginPx }: VirtualRows, rows: readonly Row[]) {
  const parts: ({ key: string; px: number } | { row: Row; index: number })[] = [];
  let end = 0;
  for (const item of virtualizer.getVirtualItems()) {
    const row = rows[item.index];
    if (row === undefined) continue;
    const top = item.start - marginPx;
    if (top > end) parts.push({ key: `before ${item.index}`, px: top - end });
    parts.push({ row, index: item.index });
    end = top + item.size;
  }
  const left = virtualizer.getTotalSize() - end;
  if (left > 0) parts.push({ key: "after", px: left });
  return parts;
}

function ActionButton({ label, text, icon, opensDialog, run }: RowAction) {
  const opens = opensDialog ? ("dialog" as const) : undefined;
  if (text === undefined)
    return (
      <IconButton label={label} aria-haspopup={opens} onClick={run}>
        {icon}
      </IconButton>
    );
  return (
    <Button variant="default" size="xs" className={classes["textAction"] ?? ""} aria-label={label} aria-haspopup={opens} onClick={run}>
      {text}
    </Button>
  );
}

const styleOf = <Row,>({ align, mono, nowrap, tabular, className }: TableColumn<Row>) => ({
  className,
  "data-align": align,
  "data-mono": mono || undefined,
  "data-nowrap": nowrap || undefined,
  "data-tabular": tabular || undefined,
});
