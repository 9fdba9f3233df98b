import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import { useMenuButton } from "#ui/menu-button.ts";
import type { ColumnMenuProps } from "./column-menu.tsx";
import ColumnMenu from "./column-menu.tsx";
import classes from "./table.module.css";

/** The actions of a column. The header opens them with Alt+Down. */
export function ColumnMenuButton(props: ColumnMenuProps) {
  const { name } = props;
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className={classes["menuButton"]}
        aria-label={`${name} column menu`}
        data-column-menu={name}
        {...buttonProps}
      >
        <IconChevronDown size={14} aria-hidden />
      </button>
      {menuProps && <ColumnMenu {...menuProps} {...props} />}
    </>
  );
}
