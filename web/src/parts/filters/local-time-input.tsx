import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { localTime } from "#lib/local-time.ts";
import { useLazyMenu } from "#ui/lazy-menu.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { localTimeExamples, parseLocalTime } from "./local-time-text.ts";
import type { Edge } from "./time-input.ts";

const CalendarPopover = lazyPart(() => import("./calendar-popover.tsx"));

interface Props extends Pick<TextInputProps, "description" | "className"> {
  label: string;
  /** The text as typed. */
  value: string;
  /** What a day without a time means. */
  edge?: Edge;
  onChange: (text: string) => void;
}

/** A time in the browser's zone, typed in any usual format, or its day picked from a calendar. */
export function LocalTimeInput({ label, value, edge = "start", onChange, ...common }: Props) {
  const [isLeft, setLeft] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { buttonProps, menuProps } = useLazyMenu(isOpen, setOpen, "dialog");
  const epochMs = parseLocalTime(value, edge);
  const chooseLabel = `Choose a day for ${label}`;
  return (
    <>
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
          <ActionIcon variant="subtle" aria-label={chooseLabel} {...buttonProps}>
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
        }
      />
      {menuProps && (
        <CalendarPopover
          {...menuProps}
          label={chooseLabel}
          day={typeof epochMs === "number" ? dayOf(epochMs) : null}
          onDay={(day) => onChange(localTime(parseLocalTime(day, edge) ?? Number.NaN))}
        />
      )}
    </>
  );
}

function dayOf(epochMs: number): string {
  const [month, day, year] = localTime(epochMs).slice(0, "MM-DD-YYYY".length).split("-");
  return `${year}-${month}-${day}`;
}
