/** The calendars: one part, loaded when the first of them is opened. */
export { default as CalendarPopover } from "./calendar-popover.tsx";
export { RangeCalendar } from "./time-calendar.tsx";
