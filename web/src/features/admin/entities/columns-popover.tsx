import { Checkbox, Popover } from "@mantine/core";
import { ExistingTarget, type MenuOfButtonProps } from "#ui/menu-button.ts";
import { useDeferredOpen } from "#ui/dialog/use-deferred-open.ts";
import classes from "./entities.module.css";

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
        <div className={classes["columns"]}>
          {names.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={!hidden.has(name)}
              onChange={(event) => setHidden(name, !event.currentTarget.checked)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
