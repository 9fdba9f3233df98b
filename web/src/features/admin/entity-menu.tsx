import { Menu } from "@mantine/core";
import { Fragment } from "react";
import { ExistingTarget, type LazyMenuProps } from "#ui/lazy-menu.ts";
import { useDeferredOpen } from "#ui/use-deferred-open.ts";
import type { RowAction } from "./use-entity-actions.ts";

interface EntityMenuProps extends LazyMenuProps {
  actions: () => readonly RowAction[];
}

/** A menu of actions on one entity or on the list. */
export default function EntityMenu({ id, target, opened, onChange, actions }: EntityMenuProps) {
  return (
    <Menu id={id} opened={useDeferredOpen(opened)} onChange={onChange} position="bottom-end" returnFocus>
      <Menu.Target>
        <ExistingTarget target={target} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions().map(({ label, icon: Icon, run, disabled, destructive, startsGroup }) => (
          <Fragment key={label}>
            {(destructive || startsGroup) && <Menu.Divider />}
            <Menu.Item
              leftSection={<Icon size={16} aria-hidden />}
              onClick={run}
              disabled={disabled ?? false}
              {...(destructive ? { color: "red" } : {})}
            >
              {label}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
