import { Popover } from "@mantine/core";
import { ExistingTarget, type MenuOfButtonProps } from "#ui/menu-button.ts";
import { DayCalendar } from "./time-calendar.tsx";

interface Props extends MenuOfButtonProps {
  label: string;
  /** `YYYY-MM-DD`. */
  day: string | null;
  onDay: (day: string) => void;
}

/** A calendar at the button that opens it. */
export default function CalendarPopover({ target, opened, onChange, label, day, onDay }: Props) {
  return (
    <Popover opened={opened} onChange={onChange} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <ExistingTarget target={target} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <DayCalendar
          day={day}
          onChange={(chosen) => {
            onDay(chosen);
            onChange(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
