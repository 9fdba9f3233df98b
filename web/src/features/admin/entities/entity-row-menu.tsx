import { IconDots } from "#ui/icons/dots.ts";
import { useMenuButton } from "#ui/menu-button.ts";
import EntityMenu from "./entity-menu.tsx";
import classes from "./entities.module.css";
import type { RowAction } from "./use-entity-actions.ts";

interface EntityRowMenuProps {
  name: string;
  tabIndex: number;
  actions: () => readonly RowAction[];
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** The actions of one row. */
export function EntityRowMenu({ name, tabIndex, actions, opened, onChange }: EntityRowMenuProps) {
  const { buttonProps, menuProps } = useMenuButton(opened, onChange);
  return (
    <>
      <button type="button" tabIndex={tabIndex} className={classes["dots"]} aria-label={`Actions: ${name}`} {...buttonProps}>
        <IconDots size={16} aria-hidden />
      </button>
      {menuProps && <EntityMenu {...menuProps} actions={actions} />}
    </>
  );
}
