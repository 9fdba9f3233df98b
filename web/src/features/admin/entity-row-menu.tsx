import { IconDots } from "#ui/icons/dots.ts";
import { useLazyMenu } from "#ui/lazy-menu.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import type { RowAction } from "./use-entity-actions.ts";
import classes from "./entity-table.module.css";

const EntityMenu = lazyPart(() => import("./entity-menu.tsx"));

interface EntityRowMenuProps {
  name: string;
  tabIndex: number;
  actions: () => readonly RowAction[];
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** The actions of one row. */
export function EntityRowMenu({ name, tabIndex, actions, opened, onChange }: EntityRowMenuProps) {
  const { buttonProps, menuProps } = useLazyMenu(opened, onChange);
  return (
    <>
      <button type="button" data-row-menu tabIndex={tabIndex} className={classes["dots"]} aria-label={`Actions: ${name}`} {...buttonProps}>
        <IconDots size={16} aria-hidden />
      </button>
      {menuProps && <EntityMenu {...menuProps} actions={actions} />}
    </>
  );
}
