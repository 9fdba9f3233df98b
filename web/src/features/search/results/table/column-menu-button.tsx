import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import { useLazyMenu } from "#ui/lazy-menu.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import type { ColumnMenuProps } from "./column-menu.tsx";
import classes from "./result-table.module.css";

const ColumnMenu = lazyPart(() => import("./column-menu.tsx"));

/** The actions of a column. The header opens them with Alt+Down. */
export function ColumnMenuButton(props: ColumnMenuProps) {
  const { name } = props;
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useLazyMenu(opened, setOpened);
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
