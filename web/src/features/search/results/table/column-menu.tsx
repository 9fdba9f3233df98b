import { type Column, columnTitle, isNumeric } from "@fairway/contract/columns";
import { derivedColumnLimits } from "@fairway/contract/derived-columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowLeft } from "#ui/icons/arrow-left.ts";
import { IconArrowRight } from "#ui/icons/arrow-right.ts";
import { IconArrowsHorizontal } from "#ui/icons/arrows-horizontal.ts";
import { IconArrowsSort } from "#ui/icons/arrows-sort.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconChartBar } from "#ui/icons/chart-bar.ts";
import { IconChartLine } from "#ui/icons/chart-line.ts";
import { IconEyeOff } from "#ui/icons/eye-off.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPin } from "#ui/icons/pin.ts";
import { IconPinnedOff } from "#ui/icons/pinned-off.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconSum } from "#ui/icons/sum.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import ColumnPicture from "#features/search/results/column-pictures/column-picture.tsx";
import { coarseNote } from "#parts/reader-part/coarse-columns.ts";
import { ButtonMenu } from "#ui/button-menu.tsx";
import { type MenuOfButtonProps, useMenuButton } from "#ui/menu-button.ts";
import type { ColumnActions, ColumnState } from "./column-actions.ts";
import classes from "./table.module.css";

const icon = { size: 16, "aria-hidden": true } as const;

interface ColumnMenuProps {
  state: ColumnState;
  actions: ColumnActions;
  column: Column;
  /** Values of the columns. */
  distributions: ColumnDistributions | undefined;
}

/** The actions of a column. The header opens them with Alt+Down. */
export function ColumnMenuButton(props: ColumnMenuProps) {
  const { name } = props.column;
  const title = columnTitle(props.column);
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className={classes["menuButton"]}
        aria-label={`${title} column menu`}
        data-column-menu={name}
        {...buttonProps}
      >
        <IconChevronDown size={14} aria-hidden />
      </button>
      {menuProps && <ColumnMenu {...menuProps} {...props} />}
    </>
  );
}

function ColumnMenu({ state, actions, column, distributions, ...menu }: MenuOfButtonProps & ColumnMenuProps) {
  const { name } = column;
  const title = columnTitle(column);
  const { direction, canSort, canFilter, canProfile, canGraph, canSummarize, canCompute, canAdd, canLookUp, addedAs } = state;
  const { coarse, isPinned, canMoveLeft, canMoveRight, hasOwnWidth } = state;
  return (
    <ButtonMenu {...menu} position="bottom-start" width={240} trapFocus withinPortal>
      {(Menu) => (
        <Menu.Dropdown aria-label={`${title} column menu`}>
          {coarse && <p className={classes["glance"]}>{`≈ ${coarseNote(coarse)}`}</p>}
          {distributions && (
            <div className={classes["glance"]}>
              <ColumnPicture column={column} distributions={distributions} withText />
            </div>
          )}
          <Menu.Item
            leftSection={<IconArrowUp {...icon} />}
            disabled={!canSort || direction === "asc"}
            onClick={() => actions.sort(name, "asc")}
          >
            Sort ascending
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown {...icon} />}
            disabled={!canSort || direction === "desc"}
            onClick={() => actions.sort(name, "desc")}
          >
            Sort descending
          </Menu.Item>
          {direction && (
            <Menu.Item leftSection={<IconArrowsSort {...icon} />} onClick={() => actions.sort(name, undefined)}>
              Clear sort
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconFilter {...icon} />} disabled={!canFilter} onClick={() => actions.filter(column)}>
            Filter on {title}
          </Menu.Item>
          <Menu.Item leftSection={<IconChartBar {...icon} />} disabled={!canProfile} onClick={() => actions.profile(column)}>
            Summary of {title}
          </Menu.Item>
          {canGraph && (
            <Menu.Item leftSection={<IconChartLine {...icon} />} onClick={() => actions.graph(column)}>
              Graph this column
            </Menu.Item>
          )}
          {canSummarize && (
            <Menu.Item leftSection={<IconSum {...icon} />} onClick={() => actions.summarize({ kind: "by", column: name })}>
              Summarize by {title}
            </Menu.Item>
          )}
          {canSummarize && isNumeric(column.type) && (
            <Menu.Item leftSection={<IconSum {...icon} />} onClick={() => actions.summarize({ kind: "average", column: name })}>
              Average of {title} by …
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
            onClick={() => actions.pin(name, !isPinned)}
          >
            {isPinned ? "Unpin column" : "Pin column"}
          </Menu.Item>
          <Menu.Item leftSection={<IconEyeOff {...icon} />} onClick={() => actions.hide(name)}>
            Hide column
          </Menu.Item>
          {canCompute && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus {...icon} />} disabled={!canAdd} onClick={() => actions.compute(null)}>
                Add column …
              </Menu.Item>
              {addedAs !== "looked up" && column.combined === null && (
                <Menu.Item
                  leftSection={<IconLink {...icon} />}
                  disabled={!canLookUp}
                  title={canLookUp ? undefined : `A search may look up columns of ${derivedColumnLimits.lookupsOfSearch} datasets.`}
                  onClick={() => actions.lookUp(name)}
                >
                  Columns of another dataset …
                </Menu.Item>
              )}
              {addedAs === "computed" && (
                <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => actions.compute(name)}>
                  Change formula …
                </Menu.Item>
              )}
              {addedAs === "looked up" && (
                <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => actions.lookUp(name)}>
                  Change lookup …
                </Menu.Item>
              )}
              {addedAs !== undefined && (
                <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(name)}>
                  Remove column
                </Menu.Item>
              )}
            </>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconArrowLeft {...icon} />}
            rightSection={<Hint keys="Alt ←" />}
            disabled={!canMoveLeft}
            closeMenuOnClick={false}
            onClick={() => actions.move(name, -1)}
          >
            Move left
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowRight {...icon} />}
            rightSection={<Hint keys="Alt →" />}
            disabled={!canMoveRight}
            closeMenuOnClick={false}
            onClick={() => actions.move(name, 1)}
          >
            Move right
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowsHorizontal {...icon} />}
            rightSection={<Hint keys="Shift ← →" />}
            disabled={!hasOwnWidth}
            onClick={() => actions.resize(name, undefined)}
          >
            Reset width
          </Menu.Item>
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}

function Hint({ keys }: { keys: string }) {
  return (
    <span className={classes["keys"]} aria-hidden>
      {keys}
    </span>
  );
}
