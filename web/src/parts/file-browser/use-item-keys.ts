import { type KeyboardEvent, useRef } from "react";
import type { ItemActions } from "./file-actions.tsx";
import { type FolderItem, jumpTarget } from "./folder.ts";
import type { Selection } from "./use-selection.ts";
import { pressed } from "#ui/shortcut-keys.ts";

/** After this pause, typing starts a new name. */
const typingPauseMs = 800;

interface Options {
  items: readonly FolderItem[];
  /** Items in a row. */
  columns: number;
  /** Rows of a page. */
  page: () => number;
  focusItem: (index: number) => void;
  actions: ItemActions;
  goUp: () => void;
  selection: Selection;
}

/**
 * The keys of an item: arrows, Page Up and Down, Home and End move; Enter opens; Space selects, Shift with one of them selects
 * while moving; Ctrl+A selects everything, Escape nothing; Delete deletes; Backspace and Alt+Up go up; letters jump to a name.
 */
export function useItemKeys({ items, columns, page, focusItem, actions, goUp, selection }: Options) {
  const typed = useRef({ text: "", atMs: 0 });
  return (event: KeyboardEvent, index: number): void => {
    const item = items[index];
    // Links and checkboxes within an item handle their own keys, except those that move.
    const isOnItem = event.target === event.currentTarget;
    if (!item || event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const moves: Partial<Record<string, number>> = {
      ArrowDown: index + columns,
      ArrowUp: index - columns,
      ...(columns > 1 ? { ArrowRight: index + 1, ArrowLeft: index - 1 } : {}),
      PageDown: index + page() * columns,
      PageUp: index - page() * columns,
      Home: 0,
      End: items.length - 1,
    };
    const now = Date.now();
    const isTyping = typed.current.text !== "" && now - typed.current.atMs < typingPauseMs;
    const target = moves[key];
    if (altKey && pressed(event, "files.up")) goUp();
    else if (target !== undefined && !altKey && !ctrlKey && !metaKey) {
      const next = Math.max(0, Math.min(items.length - 1, target));
      if (shiftKey && next !== index) selection.select(items.slice(Math.min(index, next), Math.max(index, next) + 1));
      focusItem(next);
    } else if (!isOnItem) return;
    else if (pressed(event, "files.selectAll")) selection.selectAll();
    else if (ctrlKey || metaKey || altKey) return;
    else if (pressed(event, "files.open")) actions.open(item);
    else if (pressed(event, "files.up")) goUp();
    else if (pressed(event, "files.select") && !isTyping) selection.toggle(item);
    else if (pressed(event, "files.delete") && actions.remove) actions.remove(filesToRemove(items, item, selection.selected));
    else if (key === "Escape" && selection.selected.size > 0) selection.clear();
    // These are shortcuts of the page.
    else if (key.length === 1 && !(!isTyping && (key === "/" || key === "?"))) {
      const isRepeated = isTyping && typed.current.text === key;
      const longer = isTyping && !isRepeated ? jumpTarget(items, typed.current.text + key, index) : undefined;
      // A letter that continues no name starts a new one.
      const found = longer ?? jumpTarget(items, key, index);
      typed.current = { text: longer === undefined ? key : typed.current.text + key, atMs: now };
      if (found !== undefined) focusItem(found);
    } else return;
    event.preventDefault();
  };
}

/** The selected files if the item is one of them; otherwise only the item. Folders cannot be deleted. */
function filesToRemove(items: readonly FolderItem[], item: FolderItem, selected: ReadonlySet<string>): FolderItem[] {
  const chosen = selected.has(item.path) ? items.filter(({ path }) => selected.has(path)) : [item];
  return chosen.filter(({ kind }) => kind === "file");
}
