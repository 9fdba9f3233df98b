import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { ActionIcon, Popover, TextInput, type TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { dayText, utcText } from "#lib/dates.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { isDayFilter, valueText } from "./filter-value.ts";
import { parseTime } from "./time-input.ts";

const DayCalendar = lazyPart(async () => ({ default: (await import("./time-calendar.tsx")).DayCalendar }), { isLarge: true });

/** A day as filters hold it once they were sent. */
const sentDay = /^\d{4}-\d{2}-\d{2}$/;

export interface TimeValueInputProps extends Pick<TextInputProps, "id" | "aria-label" | "ref" | "style"> {
  filter: FieldFilter;
  onChange: (value: FilterValue) => void;
  onBlur?: (() => void) | undefined;
  error: boolean;
}

/** A time or a day typed as text, or a day picked from a calendar. */
export function TimeValueInput({ filter, onChange, onBlur, ...common }: TimeValueInputProps) {
  const [isOpen, setIsOpen] = useState(false);
  const value = filter.value ?? "";
  const isDay = isDayFilter(filter);
  // What is being typed stays as it is.
  const [typed, setTyped] = useState<string | null>(null);
  const isSent = typeof value !== "string" || value.endsWith("Z") || (isDay && value !== typed && sentDay.test(value));
  const text = isSent ? valueText(filter, value) : value;
  const shown = (ms: number) => (isDay && ms % 86_400_000 === 0 ? dayText(ms) : utcText(ms));
  const epochMs = parseTime(text);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          {...common}
          value={text}
          placeholder={isDay ? "MM/DD/YYYY" : "MM/DD/YYYY, hh:mm:ss A"}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            onChange(event.currentTarget.value);
          }}
          onBlur={() => {
            setTyped(null);
            // Show a valid time in the product's own format, so mistakes are visible.
            const parsedMs = parseTime(text);
            if (parsedMs !== undefined) onChange(shown(parsedMs) ?? text);
            onBlur?.();
          }}
          rightSection={
            <ActionIcon
              variant="subtle"
              aria-label={`Choose a day for ${filter.display}`}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              <IconCalendar size={16} aria-hidden />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Choose a day for ${filter.display}`}>
        <DayCalendar
          day={epochMs === undefined ? null : new Date(epochMs).toISOString().slice(0, 10)}
          onChange={(day) => {
            onChange(shown(parseTime(day) ?? Number.NaN) ?? day);
            setIsOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
