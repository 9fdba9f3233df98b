import { Menu, type MenuProps } from "@mantine/core";
import { ExistingTarget, type LazyMenuProps } from "./lazy-menu.ts";
import { useDeferredOpen } from "./use-deferred-open.ts";

type ButtonMenuProps = LazyMenuProps & Omit<MenuProps, keyof LazyMenuProps>;

/** The menu of the button that `useLazyMenu` describes, around a Menu.Dropdown. Only lazily loaded parts should import it. */
export function ButtonMenu({ id, target, opened, onChange, children, ...more }: ButtonMenuProps) {
  return (
    <Menu id={id} opened={useDeferredOpen(opened)} onChange={onChange} returnFocus {...more}>
      <Menu.Target>
        <ExistingTarget target={target} />
      </Menu.Target>
      {children}
    </Menu>
  );
}
