/**
 * The keys of every shortcut, by where it acts and what it does. Handlers ask for them by `pressed`, and the list of shortcuts
 * (`shell/shortcuts.ts`) has to describe each, so that it names what works. Keys are those of `KeyboardEvent.key`, with `Mod` for
 * Ctrl or Cmd. Decision 0733.
 */
export const shortcutKeys = {
  "everywhere.search": ["Mod+k"],
  "everywhere.filter": ["/"],
  "everywhere.shortcuts": ["?"],
  "everywhere.close": ["Escape"],
  "form.search": ["Mod+Enter"],
  "form.save": ["Mod+Enter"],
  "table.move": ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  "table.details": ["Enter"],
  "table.select": [" "],
  "table.copy": ["Mod+c"],
  "table.sort": ["Enter", " "],
  "table.menu": ["Alt+ArrowDown", "Shift+F10", "ContextMenu"],
  "table.moveColumn": ["Alt+ArrowLeft", "Alt+ArrowRight"],
  "table.resizeColumn": ["Shift+ArrowLeft", "Shift+ArrowRight"],
  "columns.move": ["Alt+ArrowUp", "Alt+ArrowDown"],
  "details.step": ["ArrowUp", "ArrowDown"],
  "find.next": ["Enter"],
  "find.previous": ["Shift+Enter"],
  "time.move": ["ArrowLeft", "ArrowRight"],
  "time.moveFar": ["Shift+ArrowLeft", "Shift+ArrowRight"],
  "time.apply": ["Enter"],
  "time.clear": ["Escape"],
  "map.move": ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  "map.zoom": ["+", "=", "-"],
  "map.cell": ["Enter"],
  "playback.play": [" "],
  "playback.move": ["ArrowLeft", "ArrowRight"],
  "playback.step": ["Shift+ArrowLeft", "Shift+ArrowRight"],
  "playback.whole": ["0"],
  "graph.move": ["ArrowLeft", "ArrowRight"],
  "graph.select": ["Shift+ArrowLeft", "Shift+ArrowRight"],
  "graph.search": ["Enter"],
  "summary.edit": ["e"],
  "summary.table": ["t"],
  "board.move": ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  "board.resize": ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"],
  "files.open": ["Enter"],
  "files.select": [" "],
  "files.selectSeveral": ["Shift+ArrowUp", "Shift+ArrowDown"],
  "files.selectAll": ["Mod+a"],
  "files.delete": ["Delete"],
  "files.up": ["Backspace", "Alt+ArrowUp"],
  "preview.step": ["ArrowLeft", "ArrowRight"],
  "preview.page": ["PageUp", "PageDown"],
  "preview.zoom": ["+", "=", "-"],
  "text.find": ["Mod+f"],
  "changes.next": ["n", "Alt+ArrowDown"],
  "changes.previous": ["p", "Alt+ArrowUp"],
  "drawing.move": ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  "drawing.zoom": ["+", "=", "-"],
  "drawing.fit": ["0"],
  "drawing.fill": ["f"],
  "drawing.enter": ["Enter"],
  "drawing.leave": ["Backspace"],
  "comment.send": ["Mod+Enter"],
  "adding.switch": ["F6"],
  "adding.column": ["Enter"],
  "adding.question": ["n"],
  "adding.unread": ["u"],
  "adding.create": ["Mod+Enter"],
  "entities.edit": ["Enter"],
  "entities.select": [" "],
  "entities.menu": ["Shift+F10"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ShortcutId = keyof typeof shortcutKeys;

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** The pressed key of the shortcut, as the list of keys writes it; null if none was. */
export function pressed<Id extends ShortcutId>(event: KeyPress, id: Id): (typeof shortcutKeys)[Id][number] | null {
  return shortcutKeys[id].find((keys) => isPressed(event, keys)) ?? null;
}

/** Splits keys such as `Shift+ArrowUp`. A plus may be the key itself. */
export function partsOf(keys: string): { key: string; modifiers: readonly string[] } {
  const parts = keys === "+" ? [keys] : keys.split("+");
  return { key: parts.at(-1) ?? "", modifiers: parts.slice(0, -1) };
}

/** Whether these modifiers and no others are held. Shift may be what types a character such as `?` or `+`. */
function isPressed(event: KeyPress, keys: string): boolean {
  const { key, modifiers } = partsOf(keys);
  const has = (modifier: string) => modifiers.includes(modifier);
  const isCharacter = key.length === 1 && key !== " " && key.toLowerCase() === key.toUpperCase();
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === has("Mod") &&
    event.altKey === has("Alt") &&
    (isCharacter || event.shiftKey === has("Shift"))
  );
}
