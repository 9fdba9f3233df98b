import { Fragment } from "react";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import type { RowAction } from "./use-entity-actions.ts";

interface EntityMenuProps extends MenuOfButtonProps {
  actions: () => readonly RowAction[];
}

/** A menu of actions on one entity or on the list. */
export default function EntityMenu({ actions, ...menu }: EntityMenuProps) {
  return (
    <ButtonMenu {...menu} position="bottom-end">
      {(Menu) => (
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
      )}
    </ButtonMenu>
  );
}
