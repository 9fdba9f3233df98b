import "@mantine/dates/styles.layer.css";
import { DatePicker } from "@mantine/dates";

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

/** Days as `YYYY-MM-DD`, without a zone. Loaded only when a calendar is shown. */
export interface RangeCalendarProps {
  start: string | null;
  end: string | null;
  /** A day of the first month shown. */
  month: string;
  columns: number;
  onMonth: (day: string) => void;
  onChange: (start: string | null, end: string | null) => void;
}

export function RangeCalendar({ start, end, month, columns, onMonth, onChange }: RangeCalendarProps) {
  return (
    <DatePicker
      type="range"
      size="sm"
      firstDayOfWeek={0}
      numberOfColumns={columns}
      columnsToScroll={1}
      allowSingleDateInRange
      ariaLabels={labels}
      date={month}
      onDateChange={onMonth}
      value={[start, end]}
      onChange={([from, to]) => onChange(from, to)}
    />
  );
}

export function DayCalendar({ day, onChange }: { day: string | null; onChange: (day: string) => void }) {
  return (
    <DatePicker
      size="sm"
      firstDayOfWeek={0}
      ariaLabels={labels}
      {...(day ? { defaultDate: day } : {})}
      value={day}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}
