import { Kbd, SegmentedControl, TextInput } from "@mantine/core";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconLayoutGrid } from "#ui/icons/layout-grid.ts";
import { IconList } from "#ui/icons/list.ts";
import type { KeyboardEvent } from "react";
import { type BrowserView, setBrowserView } from "./browser-view.ts";
import classes from "./file-browser.module.css";

interface FilterBoxProps {
  filter: string;
  onChange: (filter: string) => void;
  onLeave: () => void;
}

/** Arrow Down and Enter go on to the items; Escape clears the box before it closes a dialog. */
export function FilterBox({ filter, onChange, onLeave }: FilterBoxProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || (event.key === "Enter" && !event.nativeEvent.isComposing)) onLeave();
    else if (event.key === "Escape" && filter !== "") onChange("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <TextInput
      type="search"
      aria-label="filter directory"
      placeholder="filter directory"
      data-page-filter
      data-mantine-stop-propagation={filter !== ""}
      value={filter}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      leftSection={<IconFilter size={16} aria-hidden />}
      rightSection={filter === "" ? <Kbd className={classes["key"] ?? ""}>/</Kbd> : undefined}
      rightSectionPointerEvents="none"
      autoComplete="off"
      spellCheck={false}
      className={classes["filter"] ?? ""}
    />
  );
}

export function ViewToggle({ view }: { view: BrowserView }) {
  return (
    <SegmentedControl
      aria-label="View"
      className={classes["toggle"] ?? ""}
      value={view}
      onChange={setBrowserView}
      data={[
        {
          value: "list" as const,
          label: (
            <span title="List">
              <IconList size={16} aria-hidden />
              <span className="visually-hidden">List</span>
            </span>
          ),
        },
        {
          value: "grid" as const,
          label: (
            <span title="Grid">
              <IconLayoutGrid size={16} aria-hidden />
              <span className="visually-hidden">Grid</span>
            </span>
          ),
        },
      ]}
    />
  );
}
