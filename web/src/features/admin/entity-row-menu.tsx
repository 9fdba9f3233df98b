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

/** What can be done with one row. The menu comes with its first use: one for each of the rows that scroll by would cost more than the rows. */
export function EntityRowMenu({ name, tabIndex, actions, opened, onChange }: EntityRowMenuProps) {
  const id = useId();
  const [used, setUsed] = useState(false);
  if (opened && !used) setUsed(true);
  return (
    <>
      <button
        type="button"
        // What the menu calls its target by.
        id={id}
        data-row-menu
        tabIndex={tabIndex}
        className={classes["dots"]}
        aria-label={`Actions: ${name}`}
        aria-haspopup="menu"
        aria-expanded={opened}
        // Else a press outside closes the menu, and the click of the same press opens it again.
        onMouseDown={(event) => opened && event.stopPropagation()}
        onClick={() => onChange(!opened)}
      >
        <IconDots size={16} aria-hidden />
      </button>
      {used && <Lines id={id} opened={opened} onChange={onChange} actions={actions} />}
    </>
  );
}

function Lines({ id, opened, onChange, actions }: Pick<EntityRowMenuProps, "opened" | "onChange" | "actions"> & { id: string }) {
  return (
    <Menu id={id} opened={useDeferredOpen(opened)} onChange={onChange} position="bottom-end" returnFocus>
      <Menu.Target>
        <Anchor />
      </Menu.Target>
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

/** Where the menu hangs. What it would say of itself, its button says. */
const Anchor = ({ ref }: { ref?: Ref<HTMLSpanElement> }) => <span ref={ref} className={classes["anchor"]} />;
