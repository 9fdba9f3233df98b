import { Checkbox, Popover, Stack } from "@mantine/core";
import { ExistingTarget, type MenuOfButtonProps } from "#ui/menu-button.ts";
import { useDeferredOpen } from "#ui/dialog/use-deferred-open.ts";

export interface ColumnChoice {
  hidden: ReadonlySet<string>;
  setHidden: (name: string, isHidden: boolean) => void;
}

interface ColumnsPopoverProps extends MenuOfButtonProps, ColumnChoice {
  names: readonly string[];
}

export default function ColumnsPopover({ id, target, opened, onChange, names, hidden, setHidden }: ColumnsPopoverProps) {
  return (
    <Popover id={id} opened={useDeferredOpen(opened)} onChange={onChange} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ExistingTarget target={target} />
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="md" p="xs">
          {names.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={!hidden.has(name)}
              onChange={(event) => setHidden(name, !event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
