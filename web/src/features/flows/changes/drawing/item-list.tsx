import { pluralize } from "@fairway/contract/counts";
import { type KeyboardEvent, useLayoutEffect } from "react";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import { nextRowIndex } from "#ui/next-row-index.ts";
import { componentName, kindName } from "../component-text.ts";
import { StateMark } from "../state-mark.tsx";
import type { DrawnItem } from "./drawing-model.ts";
import classes from "./drawing.module.css";

interface Props {
  label: string;
  items: readonly DrawnItem[];
  selectedId: string | null;
  onSelect: (item: DrawnItem) => void;
  /** Enters a process group. */
  onEnter: (groupId: string) => void;
}

const rowPx = 44;

/** The items of the drawing as a list: for screen readers, and to find components by name. The selection follows the focus. */
export function ItemList({ label, items, selectedId, onSelect, onEnter }: Props) {
  const selected = items.findIndex(({ id }) => id === selectedId);
  const { scroller, virtualizer } = useVirtualList({
    count: items.length,
    getItemKey: (index) => items[index]?.id ?? index,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  useLayoutEffect(() => {
    if (items[selected]) virtualizer.scrollToIndex(selected);
    else virtualizer.scrollToOffset(0);
  }, [items, selected, virtualizer]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const item = items[selected];
    if (event.key === "Enter" && item && isGroup(item)) {
      event.preventDefault();
      onEnter(item.id);
      return;
    }
    const next = items[nextRowIndex(event.key, selected, items.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    onSelect(next);
  };
  const idOf = (index: number) => `${label.replaceAll(/\W+/g, "-")}-${index}`;
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label={`${label}: ${pluralize(items.length, "component")}`}
      aria-activedescendant={selected < 0 ? undefined : idOf(selected)}
      tabIndex={0}
      className={classes["list"]}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={classes["rows"]} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          return (
            item && (
              // The list has the focus and the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={key}
                id={idOf(index)}
                role="option"
                aria-selected={index === selected}
                aria-posinset={index + 1}
                aria-setsize={items.length}
                className={classes["row"]}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => onSelect(item)}
                onDoubleClick={() => isGroup(item) && onEnter(item.id)}
              >
                <StateMark state={item.state} />
                <span className={classes["rowTexts"]}>
                  <span className={classes["rowName"]}>{titleOf(item)}</span>
                  <span className={classes["rowKind"]}>
                    {item.shape === "edge" ? "Connection" : kindName(item.kind)}
                    {item.shape === "node" && item.hasChangesInside && ", changes inside"}
                  </span>
                </span>
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

export const isGroup = (item: DrawnItem): boolean => item.shape === "node" && item.kind === "process-group";
export const titleOf = (item: DrawnItem): string => (item.shape === "edge" ? item.title : componentName(item));
