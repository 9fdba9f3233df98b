import { partsOf, shortcutKeys, type ShortcutId } from "#ui/shortcut-keys.ts";
import { alt, control } from "./modifier-keys.ts";

interface Shortcut {
  /** Pressed together, except where `or` stands between them. */
  keys: readonly string[];
  what: string;
}

/** The action of each shortcut, in the order of the list. Those of a table, for example, act while the focus is in it. */
const descriptions: Readonly<Record<ShortcutId, readonly [scope: string, what: string]>> = {
  "everywhere.search": ["Everywhere", "Search everything"],
  "everywhere.filter": ["Everywhere", "Focus the filter"],
  "everywhere.shortcuts": ["Everywhere", "Show these shortcuts"],
  "everywhere.close": ["Everywhere", "Close the open dialog or menu"],
  "form.search": ["Everywhere", "Search, in a search form"],
  "form.save": ["Everywhere", "Save, in a dialog with a form"],
  "table.move": ["Results table", "Move between cells"],
  "table.details": ["Results table", "Open the row’s details"],
  "table.select": ["Results table", "Select the row, to compare it"],
  "table.copy": ["Results table", "Copy the cell"],
  "table.sort": ["Results table", "Sort by the column, in its header"],
  "table.menu": ["Results table", "Open the column’s menu"],
  "table.moveColumn": ["Results table", "Move the column"],
  "table.resizeColumn": ["Results table", "Resize the column"],
  "columns.move": ["Results table", "Reorder, in the list of columns"],
  "details.step": ["Results table", "Previous or next row, in the details"],
  "find.next": ["Files and texts", "Next match, in a find box"],
  "find.previous": ["Files and texts", "Previous match"],
  "time.move": ["Rows over time", "Move the start or end"],
  "time.moveFar": ["Rows over time", "Move it further"],
  "time.apply": ["Rows over time", "Set as time range"],
  "time.clear": ["Rows over time", "Clear the selection"],
  "map.move": ["Map and playback", "Move the map"],
  "map.zoom": ["Map and playback", "Zoom the map or the time slider"],
  "map.cell": ["Map and playback", "Select the cell at the center of a map of all rows"],
  "playback.play": ["Map and playback", "Play or pause, on the time slider"],
  "playback.move": ["Map and playback", "Move through time"],
  "playback.step": ["Map and playback", "Previous or next position"],
  "playback.whole": ["Map and playback", "Show the whole time"],
  "graph.move": ["Graphs", "Move between groups"],
  "graph.select": ["Graphs", "Select several groups"],
  "graph.search": ["Graphs", "Search the rows of the group, or open its menu"],
  "summary.edit": ["Graphs", "Edit the summary"],
  "summary.table": ["Graphs", "Switch between chart and table"],
  "board.move": ["Editing a board", "Move the panel"],
  "board.resize": ["Editing a board", "Resize the panel"],
  "files.open": ["Files and texts", "Open the file or folder"],
  "files.select": ["Files and texts", "Select the file or folder"],
  "files.selectSeveral": ["Files and texts", "Select several"],
  "files.selectAll": ["Files and texts", "Select all"],
  "files.delete": ["Files and texts", "Delete the file"],
  "files.up": ["Files and texts", "Go to the folder above"],
  "preview.step": ["Files and texts", "Previous or next file in a preview"],
  "preview.page": ["Files and texts", "Previous or next page of a PDF"],
  "preview.zoom": ["Files and texts", "Zoom a PDF"],
  "text.find": ["Files and texts", "Find in the text"],
  "changes.next": ["Changes of a flow", "Next change"],
  "changes.previous": ["Changes of a flow", "Previous change"],
  "drawing.move": ["Changes of a flow", "Move the drawing"],
  "drawing.zoom": ["Changes of a flow", "Zoom the drawing"],
  "drawing.fit": ["Changes of a flow", "Show the whole drawing"],
  "drawing.fill": ["Changes of a flow", "Full screen, in the drawing"],
  "drawing.enter": ["Changes of a flow", "Open the process group"],
  "drawing.leave": ["Changes of a flow", "Back to the group around it"],
  "comment.send": ["Changes of a flow", "Send the comment"],
  "adding.switch": ["Adding data", "Between the panel and the rows"],
  "adding.column": ["Adding data", "Open the column’s choices, in its header"],
  "adding.question": ["Adding data", "Next open question"],
  "adding.unread": ["Adding data", "Next value that could not be read"],
  "adding.create": ["Adding data", "Create the dataset"],
  "entities.edit": ["Administration tables", "Edit the entity"],
  "entities.select": ["Administration tables", "Select the entity"],
  "entities.menu": ["Administration tables", "Open the row’s menu"],
};

/** Keys as they are written on a keyboard; others as they are. */
const written: Readonly<Record<string, string>> = {
  Mod: control,
  Alt: alt,
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  PageUp: "Page Up",
  PageDown: "Page Down",
  " ": "Space",
  "-": "−",
};

/** Keys that do the same as others: one that only some keyboards have, and the plus without Shift. */
const unlisted: ReadonlySet<string> = new Set(["ContextMenu", "="]);

function writtenKeys(id: ShortcutId): string[] {
  const all = shortcutKeys[id].filter((keys) => !unlisted.has(keys)).map((keys) => partsOf(keys));
  const named = (name: string) => written[name] ?? (name.length === 1 ? name.toUpperCase() : name);
  // The four arrows stand together.
  if (all.length === 4) return [...(all[0]?.modifiers ?? []), ...all.map(({ key }) => key)].map(named);
  return all.flatMap(({ key, modifiers }, index) => (index === 0 ? [] : ["or"]).concat(modifiers.map(named), named(key)));
}

/** All shortcuts, by the part of the app in which they act. */
export function shortcutGroups(): { title: string; shortcuts: Shortcut[] }[] {
  const groups = new Map<string, Shortcut[]>();
  for (const [id, [scope, what]] of Object.entries(descriptions) as [ShortcutId, readonly [string, string]][])
    groups.set(scope, [...(groups.get(scope) ?? []), { keys: writtenKeys(id), what }]);
  return Array.from(groups, ([title, shortcuts]) => ({ title, shortcuts }));
}
