import "@mantine/dates/styles.layer.css";
import type { TimeExtent } from "@fairway/contract/datasets";
import { DatePicker, type DatePickerProps, type DayOfWeek } from "@mantine/dates";
import classes from "./time-calendar.module.css";

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
  onMonthChange: (day: string) => void;
  onChange: (start: string | null, end: string | null) => void;
}

export function RangeCalendar({ start, end, month, columns, extent, onMonthChange, onChange }: RangeCalendarProps) {
  return (
    <DatePicker
      type="range"
      {...commonProps}
      numberOfColumns={columns}
      {...(extent && { getDayProps: (day: string) => ({ "data-without-rows": isOutside(day, extent) || undefined }) })}
      columnsToScroll={1}
      allowSingleDateInRange
      date={month}
      onDateChange={onMonthChange}
      value={[start, end]}
      onChange={([from, to]) => onChange(from, to)}
    />
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
