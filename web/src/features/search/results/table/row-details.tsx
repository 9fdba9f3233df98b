import { type Column, columnTitle, isMoment, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconFilterMinus } from "#ui/icons/filter-minus.ts";
import { IconFilterPlus } from "#ui/icons/filter-plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef } from "react";
import { cellText, readsAsCode } from "#lib/text/cell-text.ts";
import { copyText } from "#lib/text/copy.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { utc } from "#lib/time/time-zone.ts";
import { type ValueOperator, canFilterByValue } from "#parts/filters/value-filter.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { Breakable } from "#ui/breakable.tsx";
import { DetailFrame } from "#ui/kit/detail-frame.tsx";
import { NoValue, openedValue } from "./table-cell.tsx";
import classes from "./table.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

interface Props {
  /** Every column, including hidden ones, in layout order. */
  columns: readonly Column[];
  row: ResultRow;
  /** Zero-based among the loaded rows. */
  index: number;
  rowCount: number;
  titleField: string | null;
  subtitleField: string | null;
  onStep: (index: number) => void;
  onClose: () => void;
  /** Whether it takes the focus when opened. */
  takesFocus: boolean;
  coarse: CoarseColumns;
  canFilter: (column: Column) => boolean;
  /** Opens the position or the file of a column. */
  onOpen: (column: Column) => void;
  /** Keeps only (`=`) or excludes (`<>`) rows with this row's value. */
  onFilterValue: (column: Column, operator: ValueOperator) => void;
  /** Links to related datasets. */
  links?: ReactNode;
}

/** All fields of one row with full values. Up and Down step through the rows. */
export function RowDetails({
  columns,
  row,
  index,
  rowCount,
  titleField,
  subtitleField,
  onStep,
  onClose,
  takesFocus,
  coarse,
  canFilter,
  onOpen,
  onFilterValue,
  links,
}: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const zone = useResultZone();
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const textOf = (name: string | null): string | null => {
    const column = columns.find((candidate) => candidate.name === name);
    return column ? cellText(column, row, zone) : null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
      return;
    }
    const step = pressed(event, "details.step");
    if (step === null) return;
    const next = step === "ArrowDown" ? index + 1 : index - 1;
    event.preventDefault();
    if (next >= 0 && next < rowCount) onStep(next);
  };
  const copy = async (text: string, message: string) => {
    if (await copyText(text)) toastSuccess(message, 1200);
  };
  const subtitle = textOf(subtitleField);
  const titleColumn = columns.find(({ name }) => name === titleField);
  const measures = measuresOf(columns, row);
  const field = (column: Column) => {
    const text = cellText(column, row, zone);
    const inUtc = zone !== utc && isMoment(column) ? `${cellText(column, row)} UTC` : undefined;
    const opened = text === null ? null : openedValue(column, row, text);
    return (
      <div key={column.name} className={classes["field"]}>
        <dt>
          <CoarseMark form={coarse.get(column.name)} />
          <Breakable text={columnTitle(column)} />
        </dt>
        <dd className={readsAsCode(column) ? classes["sidePanelCode"] : undefined} title={inUtc}>
          {text === null ? (
            <NoValue />
          ) : opened === null ? (
            text
          ) : (
            <button
              type="button"
              className={classes["sidePanelLink"]}
              aria-label={opened.label}
              title={opened.title}
              onClick={() => onOpen(column)}
            >
              {text}
            </button>
          )}
          {text !== null && <Unit column={column} />}
          {text !== null && (
            <span className={classes["fieldTools"]}>
              {canFilter(column) && canFilterByValue(row[column.name]) && (
                <>
                  <FieldTool label={`Keep only this ${column.name}`} onClick={() => onFilterValue(column, "=")}>
                    <IconFilterPlus size={14} aria-hidden />
                  </FieldTool>
                  <FieldTool label={`Leave out this ${column.name}`} onClick={() => onFilterValue(column, "<>")}>
                    <IconFilterMinus size={14} aria-hidden />
                  </FieldTool>
                </>
              )}
              <FieldTool label={`Copy ${column.name}`} onClick={() => void copy(text, `${column.name} copied`)}>
                <IconCopy size={14} aria-hidden />
              </FieldTool>
            </span>
          )}
        </dd>
      </div>
    );
  };
  const positionText = `Row ${index + 1} of ${rowCount.toLocaleString("en-US")} loaded`;
  return (
    <DetailFrame
      label="Row details"
      heading={
        <>
          <Heading ref={heading}>{textOf(titleField) ?? `Row ${index + 1}`}</Heading>
          {subtitle !== null && <p className={classes["subtitle"]}>{subtitle}</p>}
          <p className={classes["position"]} aria-live="polite">
            {positionText}
          </p>
        </>
      }
      tools={[
        { label: "Previous row", icon: <IconChevronUp size={16} aria-hidden />, disabled: index === 0, run: () => onStep(index - 1) },
        {
          label: "Next row",
          icon: <IconChevronDown size={16} aria-hidden />,
          disabled: index >= rowCount - 1,
          run: () => onStep(index + 1),
        },
        { label: "Close row details", icon: <IconX size={16} aria-hidden />, run: onClose },
      ]}
      onKeyDown={onKeyDown}
      bodyLabel="Fields"
      foot={
        <>
          {links}
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void copy(JSON.stringify(row, null, 2), "Row copied")}
          >
            Copy as JSON
          </Button>
          {titleColumn && canFilter(titleColumn) && canFilterByValue(row[titleColumn.name]) && (
            <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={() => onFilterValue(titleColumn, "=")}>
              Filter on this {titleColumn.name}
            </Button>
          )}
        </>
      }
    >
      {measures.length > 0 && <dl className={classes["measures"]}>{measures.map(field)}</dl>}
      <dl className={classes["fields"]}>{columns.filter((column) => !measures.includes(column)).map(field)}</dl>
    </DetailFrame>
  );
}

const maxMeasures = 3;

/** The first columns with a number and a unit: what a row says at a glance. */
function measuresOf(columns: readonly Column[], row: ResultRow): readonly Column[] {
  const measures = columns.filter(({ name, type, unit, combined }) => {
    const hasUnit = unit !== undefined && unit !== null && unit !== "" && !unit.includes("°");
    return combined === null && isNumeric(type) && hasUnit && (row[name] ?? null) !== null;
  });
  return measures.slice(0, maxMeasures);
}

function Heading({ ref, children }: { ref: Ref<HTMLHeadingElement>; children: string }) {
  return (
    <h2 ref={ref} tabIndex={-1} title={children}>
      {children}
    </h2>
  );
}

function FieldTool({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <ActionIcon variant="default" size={24} aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

function Unit({ column }: { column: Column }) {
  const unit = isTimestamp(column.type) ? "" : (column.unit ?? "");
  return unit === "" ? null : <span className={classes["unit"]}>{` ${unit}`}</span>;
}
