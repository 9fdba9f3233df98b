import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { ActionIcon, Popover, TextInput, type TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { utcText } from "#lib/dates.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { valueText } from "./filter-value.ts";
import { parseTime } from "./time-input.ts";

const DayCalendar = lazyPart(async () => ({ default: (await import("./time-calendar.tsx")).DayCalendar }), { isLarge: true });

export interface TimeValueInputProps extends Pick<TextInputProps, "id" | "aria-label" | "aria-describedby" | "style"> {
  filter: FieldFilter;
  onChange: (value: FilterValue) => void;
  onBlur?: (() => void) | undefined;
  error: boolean;
}

/** A time as text, or a day picked from a calendar. */
export function TimeValueInput({ filter, onChange, onBlur, ...common }: TimeValueInputProps) {
  const [picking, setPicking] = useState(false);
  const text = typeof filter.value === "string" && !filter.value.endsWith("Z") ? filter.value : valueText(filter.type, filter.value);
  const epochMs = parseTime(text);
  return (
    <Popover opened={picking} onChange={setPicking} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          {...common}
          value={text}
          placeholder="MM/DD/YYYY, hh:mm:ss A"
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => {
            // What can be read is shown in the product's own format, so that a slip is seen.
            const read = parseTime(text);
            if (read !== undefined) onChange(utcText(read) ?? text);
            onBlur?.();
          }}
          rightSection={
            <ActionIcon
              variant="subtle"
              aria-label={`Choose a day for ${filter.display}`}
              aria-expanded={picking}
              onClick={() => setPicking(!picking)}
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
            setPicking(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
