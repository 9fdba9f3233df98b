import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { ActionIcon, Popover, TextInput, type TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { utcText } from "#lib/dates.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { valueText } from "./filter-value.ts";
import { parseTime } from "./time-input.ts";

const DayCalendar = lazyPart(async () => ({ default: (await import("./time-calendar.tsx")).DayCalendar }), { isLarge: true });

export interface TimeValueInputProps extends Pick<TextInputProps, "id" | "aria-label" | "ref" | "style"> {
  filter: FieldFilter;
  onChange: (value: FilterValue) => void;
  onBlur?: (() => void) | undefined;
  error: boolean;
}

/** A time typed as text, or a day picked from a calendar. */
export function TimeValueInput({ filter, onChange, onBlur, ...common }: TimeValueInputProps) {
  const [isOpen, setIsOpen] = useState(false);
  const value = filter.value ?? "";
  const text = typeof value === "string" && !value.endsWith("Z") ? value : valueText(filter.type, value);
  const epochMs = parseTime(text);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          {...common}
          value={text}
          placeholder="MM/DD/YYYY, hh:mm:ss A"
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => {
            // Show a valid time in the product's own format, so mistakes are visible.
            const parsedMs = parseTime(text);
            if (parsedMs !== undefined) onChange(utcText(parsedMs) ?? text);
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
            onChange(utcText(parseTime(day) ?? Number.NaN) ?? day);
            setIsOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
