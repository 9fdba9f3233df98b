import { Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Fragment } from "react";
import type { RowAction } from "./use-entity-actions.ts";
import classes from "./entity-table.module.css";

interface EntityRowMenuProps {
  name: string;
  tabIndex: number;
  actions: () => readonly RowAction[];
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** What can be done with one row. The lines are made when it opens. */
export function EntityRowMenu({ name, tabIndex, actions, opened, onChange }: EntityRowMenuProps) {
  const button = (
    <button
      type="button"
      data-row-menu
      tabIndex={tabIndex}
      className={classes["dots"]}
      aria-label={`Actions: ${name}`}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={() => onChange(!opened)}
    >
      <IconDots size={16} aria-hidden />
    </button>
  );
  // A menu of its own for each of the rows that scroll by would cost more than the rows themselves.
  if (!opened) return button;
  return (
    <Menu opened onChange={onChange} position="bottom-end" returnFocus withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions().map(({ label, icon: Icon, run, destructive, apart }) => (
          <Fragment key={label}>
            {(destructive || apart) && <Menu.Divider />}
            <Menu.Item leftSection={<Icon size={16} aria-hidden />} onClick={run} {...(destructive ? { color: "red" } : {})}>
              {label}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
