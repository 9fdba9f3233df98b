import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { dayText, utcText } from "@fairway/contract/utc-texts";
import { DayButton } from "./day-button.tsx";
import { isDayFilter, valueText } from "./filter-value.ts";
import { type Edge, parseTime } from "./time-input.ts";

/** A day as filters hold it once they were sent. */
const sentDay = /^\d{4}-\d{2}-\d{2}$/;

export interface TimeValueInputProps extends Pick<TextInputProps, "id" | "aria-label" | "ref" | "style"> {
  filter: FieldFilter;
  onChange: (value: FilterValue) => void;
  onBlur?: (() => void) | undefined;
  error: boolean;
  /** The second that a day, month or year stands for: its first by default. */
  edge?: Edge;
}

/** A time or a day typed as text, or a day picked from a calendar. */
export function TimeValueInput({ filter, onChange, onBlur, edge = "start", ...common }: TimeValueInputProps) {
  const value = filter.value ?? "";
  const isDay = isDayFilter(filter);
  // Text that is being typed stays as it is.
  const [typed, setTyped] = useState<string | null>(null);
  const isSent = typeof value !== "string" || value.endsWith("Z") || (isDay && value !== typed && sentDay.test(value));
  const text = isSent ? valueText(filter, value) : value;
  const shown = (ms: number) => (isDay && ms % 86_400_000 === 0 ? dayText(ms) : utcText(ms));
  const epochMs = parseTime(text);
  return (
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
        const parsedMs = parseTime(text, edge);
        if (parsedMs !== undefined) onChange(shown(parsedMs) ?? text);
        onBlur?.();
      }}
      rightSection={
        <DayButton
          label={`Choose a day for ${filter.display}`}
          day={epochMs === undefined ? null : new Date(epochMs).toISOString().slice(0, 10)}
          onDay={(day) => onChange(shown(parseTime(day, edge) ?? Number.NaN) ?? day)}
        />
      }
    />
  );
}
