import { Checkbox } from "@mantine/core";
import type { FolderItem } from "./folder.ts";
import type { Selection } from "./use-selection.ts";

export function SelectAll({ items, selection: { selected, selectAll, clear } }: { items: readonly FolderItem[]; selection: Selection }) {
  return (
    <Checkbox
      aria-label="Select all"
      checked={selected.size === items.length}
      indeterminate={selected.size > 0 && selected.size < items.length}
      onChange={selected.size === items.length ? clear : selectAll}
    />
  );
}

interface SelectItemProps {
  item: FolderItem;
  isSelected: boolean;
  onToggle: (item: FolderItem, extend: boolean) => void;
  tabIndex: 0 | -1;
}

/** With Shift, it selects everything from the last one on. */
export function SelectItem({ item, isSelected, onToggle, tabIndex }: SelectItemProps) {
  return (
    <Checkbox
      aria-label={`Select ${item.name}`}
      tabIndex={tabIndex}
      checked={isSelected}
      onChange={({ nativeEvent }) => onToggle(item, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}
