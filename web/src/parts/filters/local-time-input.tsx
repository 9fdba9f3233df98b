import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { localTime } from "#lib/time/local-time.ts";
import { DayButton } from "./day-button.tsx";
import { localTimeExamples, parseLocalTime } from "./local-time-text.ts";
import type { Edge } from "./time-input.ts";

interface Props extends Pick<TextInputProps, "description" | "className"> {
  label: string;
  /** The text as typed. */
  value: string;
  /** The end of a day that a day without a time means. */
  edge?: Edge;
  onChange: (text: string) => void;
}

/** A time in the browser's zone, typed in any usual format, or its day picked from a calendar. */
export function LocalTimeInput({ label, value, edge = "start", onChange, ...common }: Props) {
  const [isLeft, setLeft] = useState(false);
  const epochMs = parseLocalTime(value, edge);
  return (
    <TextInput
      {...common}
      label={label}
      value={value}
      placeholder="MM-DD-YYYY, h:mm am"
      autoComplete="off"
      spellCheck={false}
      // Half a date is not a mistake yet.
      error={isLeft && epochMs === undefined ? `Enter a time, such as ${localTimeExamples}.` : undefined}
      onChange={(event) => {
        setLeft(false);
        onChange(event.currentTarget.value);
      }}
      onBlur={() => {
        setLeft(true);
        // Mistakes are visible in the product's own format.
        if (typeof epochMs === "number") onChange(localTime(epochMs));
      }}
      rightSection={
        <DayButton
          label={`Choose a day for ${label}`}
          day={typeof epochMs === "number" ? dayOf(epochMs) : null}
          onDay={(day) => onChange(localTime(parseLocalTime(day, edge) ?? Number.NaN))}
        />
      }
    />
  );
}

function dayOf(epochMs: number): string {
  const [month, day, year] = localTime(epochMs).slice(0, "MM-DD-YYYY".length).split("-");
  return `${year}-${month}-${day}`;
}
