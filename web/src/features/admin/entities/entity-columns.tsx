import { IconColumns3 } from "#ui/icons/columns-3.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { island } from "#ui/island.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import type { ColumnChoice } from "./columns-popover.tsx";
import type { EntityKind } from "./entity-kind.ts";
import classes from "./entities.module.css";

const ColumnsPopover = island(() => import("./columns-popover.tsx"));

const storageKey = (kind: EntityKind): string => `fairway.admin.hidden.${kind.type}`;

function readHidden(kind: EntityKind): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(kind)) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : []);
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return new Set();
    throw error;
  }
}

/** The columns shown in this browser. `shown` contains indexes into the kind's columns. */
export function useShownColumns(kind: EntityKind): ColumnChoice & { shown: readonly number[] } {
  const [hidden, setHidden] = useState(() => readHidden(kind));
  return {
    hidden,
    setHidden: (name, isHidden) => {
      const next = new Set(hidden);
      if (isHidden) next.add(name);
      else next.delete(name);
      setHidden(next);
      try {
        localStorage.setItem(storageKey(kind), JSON.stringify([...next]));
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
      }
    },
    shown: kind.columns.flatMap(({ name }, index) => (hidden.has(name) ? [] : [index])),
  };
}

/** A menu to show and hide columns. The id is always shown. */
export function EntityColumnChoice({ kind, hidden, setHidden }: ColumnChoice & { kind: EntityKind }) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened, "dialog");
  if (kind.columns.length < 2) return null;
  return (
    <>
      <IconButton label="Columns" className={classes["hidePhone"]} {...buttonProps}>
        <IconColumns3 size={16} aria-hidden />
      </IconButton>
      {menuProps && <ColumnsPopover {...menuProps} names={kind.columns.map(({ name }) => name)} hidden={hidden} setHidden={setHidden} />}
    </>
  );
}
