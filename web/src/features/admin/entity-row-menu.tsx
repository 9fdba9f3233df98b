import { Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Fragment, type Ref, useId, useState } from "react";
import { useDeferredOpen } from "#ui/use-deferred-open.ts";
import type { RowAction } from "./use-entity-actions.ts";
import classes from "./entity-table.module.css";

interface EntityRowMenuProps {
  name: string;
  tabIndex: number;
  actions: () => readonly RowAction[];
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** The actions of one row. The menu is mounted on first use, because a menu per virtual row would cost more than the row. */
export function EntityRowMenu({ name, tabIndex, actions, opened, onChange }: EntityRowMenuProps) {
  const id = useId();
  const [isMounted, setMounted] = useState(false);
  if (opened && !isMounted) setMounted(true);
  return (
    <>
      <button
        type="button"
        // The menu refers to its target by this id.
        id={id}
        data-row-menu
        tabIndex={tabIndex}
        className={classes["dots"]}
        aria-label={`Actions: ${name}`}
        aria-haspopup="menu"
        aria-expanded={opened}
        // Otherwise this press would close the menu as an outside press, and its click would open it again.
        onMouseDown={(event) => opened && event.stopPropagation()}
        onClick={() => onChange(!opened)}
      >
        <IconDots size={16} aria-hidden />
      </button>
      {isMounted && <ActionsMenu id={id} opened={opened} onChange={onChange} actions={actions} />}
    </>
  );
}

function ActionsMenu({ id, opened, onChange, actions }: Pick<EntityRowMenuProps, "opened" | "onChange" | "actions"> & { id: string }) {
  return (
    <Menu id={id} opened={useDeferredOpen(opened)} onChange={onChange} position="bottom-end" returnFocus>
      <Menu.Target>
        <Anchor />
      </Menu.Target>
      <Menu.Dropdown>
        {actions().map(({ label, icon: Icon, run, destructive, startsGroup }) => (
          <Fragment key={label}>
            {(destructive || startsGroup) && <Menu.Divider />}
            <Menu.Item leftSection={<Icon size={16} aria-hidden />} onClick={run} {...(destructive ? { color: "red" } : {})}>
              {label}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The menu's anchor. It takes no props from Menu.Target because the button has the ARIA attributes. */
const Anchor = ({ ref }: { ref?: Ref<HTMLSpanElement> }) => <span ref={ref} className={classes["anchor"]} />;
