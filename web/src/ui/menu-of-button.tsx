import { Menu, type MenuProps } from "@mantine/core";
import type { ReactNode } from "react";
import { ExistingTarget, type MenuOfButtonProps } from "./menu-button.ts";
import { useDeferredOpen } from "./dialog/use-deferred-open.ts";

export type ButtonMenuProps = MenuOfButtonProps &
  Omit<MenuProps, keyof MenuOfButtonProps | "children"> & {
    /** Renders the Menu.Dropdown. Receives Mantine's menu, which is loaded on its first use. */
    children: (menu: typeof Menu) => ReactNode;
  };

/** A `ButtonMenu`, once it is loaded. */
export function MenuOfButton({ id, target, opened, onChange, children, ...more }: ButtonMenuProps) {
  return (
    <Menu id={id} opened={useDeferredOpen(opened)} onChange={onChange} returnFocus {...more}>
      <Menu.Target>
        <ExistingTarget target={target} />
      </Menu.Target>
      {children(Menu)}
    </Menu>
  );
}
