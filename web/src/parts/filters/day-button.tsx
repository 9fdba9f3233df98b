import { ActionIcon } from "@mantine/core";
import { IconCalendar } from "#ui/icons/calendar.ts";
import { useState } from "react";
import { useMenuButton } from "#ui/menu-button.ts";
import { island } from "#ui/island.tsx";

const CalendarPopover = island(async () => ({ default: (await import("./calendars.ts")).CalendarPopover }), { isLarge: true });

interface Props {
  label: string;
  /** `YYYY-MM-DD`. */
  day: string | null;
  onDay: (day: string) => void;
}

/** The button at the end of a field for times that opens a calendar. */
export function DayButton({ label, day, onDay }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(isOpen, setOpen, "dialog");
  return (
    <>
      <ActionIcon variant="subtle" aria-label={label} {...buttonProps}>
        <IconCalendar size={16} aria-hidden />
      </ActionIcon>
      {menuProps && <CalendarPopover {...menuProps} label={label} day={day} onDay={onDay} />}
    </>
  );
}
