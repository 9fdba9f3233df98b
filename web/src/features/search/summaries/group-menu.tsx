import { pluralize } from "@fairway/contract/counts";
import { useId, useRef, useState } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ButtonMenu } from "#ui/button-menu.tsx";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconMinus } from "#ui/icons/minus.ts";
import { IconSum } from "#ui/icons/sum.ts";
import { IconTable } from "#ui/icons/table.ts";
import { excluded, narrowed } from "./model/narrow.ts";
import type { PressedGroup } from "./model/pressed-group.ts";
import { groupableColumns } from "./model/summary.ts";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

/** The menu that all groups of a table share. */
export function useGroupMenu() {
  const id = useId();
  const target = useRef<HTMLButtonElement>(null);
  const [key, setKey] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    target,
    /** Of the group that was opened last. */
    key,
    opened,
    setOpened,
    idOf: (group: string) => `${id}-${group}`,
    isOpen: (group: string) => opened && key === group,
    open: (group: string, button: HTMLButtonElement) => {
      target.current = button;
      setKey(group);
      setOpened(true);
    },
  };
}

type GroupMenuState = ReturnType<typeof useGroupMenu>;

interface Props extends Pick<CardActions, "onOpen"> {
  record: SearchRecord;
  menu: GroupMenuState;
  groupOf: (key: string) => PressedGroup | null;
}

/** Actions on the rows of a group: show them, keep only them, leave them out, or break them down further. */
export function GroupMenu({ record, menu, groupOf, onOpen }: Props) {
  const [choosesColumn, setChoosesColumn] = useState(false);
  const group = menu.key === null ? null : groupOf(menu.key);
  if (menu.key === null || group === null) return null;
  const { datasetDescription: description, filters } = record;
  const { name, lines, rows, entries } = group;
  const search = narrowed(description, filters, entries);
  const [entry] = entries;
  const canExclude = entries.length === 1 && entry !== undefined && excluded(description, filters, entry) !== null;
  const reason = entries.find(({ narrow }) => narrow === null)?.reason ?? "This search cannot be filtered by exactly these rows.";
  const close = (opened: boolean) => {
    menu.setOpened(opened);
    if (!opened) setChoosesColumn(false);
  };
  return (
    <ButtonMenu
      key={menu.key}
      id={menu.idOf(menu.key)}
      target={menu.target}
      opened={menu.opened}
      onChange={close}
      position="bottom-start"
      width={280}
      trapFocus
      withinPortal
    >
      {(Menu) => (
        <Menu.Dropdown aria-label={name} className={classes["sheet"] ?? ""}>
          <div className={classes["menuHead"]}>
            <strong>{name}</strong>
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
            {search === null && <div>{reason}</div>}
          </div>
          <Menu.Divider />
          {choosesColumn ? (
            <div className={classes["columnList"]}>
              {groupableColumns(description).map((column) => (
                <Menu.Item key={column.name} onClick={() => onOpen(entries, { kind: "further", column: column.name })}>
                  {column.name}
                </Menu.Item>
              ))}
            </div>
          ) : (
            <>
              <Menu.Item
                leftSection={<IconTable size={16} aria-hidden />}
                disabled={search === null}
                onClick={() => onOpen(entries, { kind: "rows" })}
              >
                {rows === null ? "Show rows" : `Show ${pluralize(rows, "row")}`}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconFilter size={16} aria-hidden />}
                disabled={search === null}
                onClick={() => onOpen(entries, { kind: "keep" })}
              >
                Keep only this
              </Menu.Item>
              {canExclude && (
                <Menu.Item leftSection={<IconMinus size={16} aria-hidden />} onClick={() => onOpen(entries, { kind: "exclude" })}>
                  Exclude this
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconSum size={16} aria-hidden />}
                disabled={search === null}
                closeMenuOnClick={false}
                onClick={() => setChoosesColumn(true)}
              >
                Break down further by …
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
