import "@mantine/dates/styles.layer.css";
import type { DatasetDescription, TimeExtent } from "@fairway/contract/datasets";
import { DatePicker, type DatePickerProps, type DayOfWeek } from "@mantine/dates";
import { useDaysWithRows } from "./days-with-rows.ts";
import classes from "./filters.module.css";

const labels = {
  monthLevelControl: "Choose a month",
  yearLevelControl: "Choose a year",
  nextMonth: "Next month",
  previousMonth: "Previous month",
  nextYear: "Next year",
  previousYear: "Previous year",
  nextDecade: "Next decade",
  previousDecade: "Previous decade",
};

const commonProps = {
  size: "sm" as const,
  firstDayOfWeek: 0 as const,
  // No weekend color: red is reserved for errors.
  weekendDays: [] as DayOfWeek[],
  ariaLabels: labels,
  classNames: {
    levelsGroup: classes["months"] ?? "",
    weekday: classes["weekday"] ?? "",
    day: classes["day"] ?? "",
    calendarHeaderLevel: classes["month"] ?? "",
  },
} satisfies Partial<DatePickerProps>;

/** Days as `YYYY-MM-DD`, without a time zone. */
export interface RangeCalendarProps {
  start: string | null;
  end: string | null;
  /** Any day of the first month shown. */
  month: string;
  columns: number;
  /** Days outside of it have no rows and are dimmed. Null if it is not known. */
  extent: TimeExtent | null;
  /** Its days with rows are marked. */
  dataset: DatasetDescription | null;
  onMonthChange: (day: string) => void;
  onChange: (start: string | null, end: string | null) => void;
}

export function RangeCalendar({ start, end, month, columns, extent, dataset, onMonthChange, onChange }: RangeCalendarProps) {
  const daysWithRows = useDaysWithRows(dataset, month, columns);
  return (
    <>
      <DatePicker
        type="range"
        {...commonProps}
        numberOfColumns={columns}
        getDayProps={(day) => ({
          "data-without-rows": (extent !== null && isOutside(day, extent)) || undefined,
          ...(daysWithRows.has(day) && { "data-has-rows": true, title: "Has rows" }),
        })}
        columnsToScroll={1}
        allowSingleDateInRange
        date={month}
        onDateChange={onMonthChange}
        value={[start, end]}
        onChange={([from, to]) => onChange(from, to)}
      />
      {dataset && (
        // Has its room before the marks arrive, so that nothing moves.
        <p className={classes["legend"]} hidden={daysWithRows.size === 0}>
          Days with rows are marked.
        </p>
      )}
    </>
  );
}

const isOutside = (day: string, { startMs, endMs }: TimeExtent): boolean => {
  const dayMs = Date.parse(day);
  return dayMs + 86_400_000 <= startMs || dayMs > endMs;
};

export function DayCalendar({ day, onChange }: { day: string | null; onChange: (day: string) => void }) {
  return (
    <DatePicker {...commonProps} {...(day ? { defaultDate: day } : {})} value={day} onChange={(chosen) => chosen && onChange(chosen)} />
  );
}
