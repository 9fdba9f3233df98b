import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pressed, shortcutKeys } from "../web/src/ui/shortcut-keys.ts";

const source = join(import.meta.dirname, "../web/src");
/** Decides by the name of a key itself. */
const comparesKeys =
  /\bkey\b\s*(?:===|!==)\s*"(?:Arrow|Enter|Escape|Tab|Page|Home|End|Backspace|Delete| "|\/")|\[event\.key\]|\.key\.startsWith|case "(?:Arrow|Enter|Escape|Home|End|Page)/;

const asks = /pressed\((?:[^()]|\([^()]*\))*"([a-z]+\.[a-zA-Z]+)"\)/g;

/** Shortcuts that are keys of a pattern of ARIA or of a library, where they are handled, by the texts that do it. */
const patterns: Readonly<Record<string, readonly [file: string, ...texts: string[]]>> = {
  "everywhere.close": ["ui/escape-menus.ts", '"Escape"'],
  "table.move": ["ui/kit/use-cells.ts", '"ArrowLeft"', '"ArrowRight"', '"ArrowUp"', '"ArrowDown"'],
  "time.move": ["features/search/results/time-histogram/bucket-selection.ts", "ArrowLeft", "ArrowRight"],
  "time.moveFar": ["features/search/results/time-histogram/bucket-selection.ts", "shiftKey ? bigStep"],
  "map.move": ["parts/area/basemap.ts", "new MapLibreMap("],
  "playback.move": ["features/search/map/playback/use-scrubber-keys.ts", "ArrowLeft", "ArrowRight"],
  "graph.move": ["features/search/graphs/chart/graph-chart.tsx", "ArrowLeft", "ArrowRight"],
  "graph.select": ["features/search/graphs/chart/graph-chart.tsx", "event.shiftKey"],
  "board.move": ["features/search/boards/board-grid.tsx", 'startsWith("Arrow")'],
  "board.resize": ["features/search/boards/board-grid.tsx", "event.shiftKey"],
  "adding.column": ["features/add-data/import-rows.tsx", "sort: () => onColumn(id)"],
  "files.selectSeveral": ["parts/file-browser/use-item-keys.ts", "ArrowUp", "ArrowDown", "shiftKey && next"],
  "drawing.move": ["features/flows/changes/drawing/drawing-canvas.tsx", '"ArrowLeft"', '"ArrowRight"', '"ArrowUp"', '"ArrowDown"'],
};

/** Files that compare keys themselves, and what for. None is a shortcut that the list could miss. */
const bypassing: Readonly<Record<string, string>> = {
  "features/admin/access/rows-tab.tsx": "cards of a list: arrows move one, Delete removes it",
  "features/admin/editor/editor-tree.tsx": "a tree of ARIA",
  "features/catalog/list/catalog-header.tsx": "Escape empties the field",
  "features/catalog/schema/coverage-chart.tsx": "a slider of ARIA",
  "features/flows/changes/drawing/drawing-canvas.tsx": "arrows, which its patterns above name",
  "features/flows/changes/drawing/item-list.tsx": "a grid of ARIA: arrows, Home, End and Page keys",
  "features/flows/changes/flow-changes.tsx": "Escape empties the field",
  "features/flows/flow-search.tsx": "Escape empties the field",
  "features/flows/request/comment-box.tsx": "a combobox of ARIA: its field and its list",
  "features/flows/request/iteration-list.tsx": "a grid of ARIA: arrows, Home, End and Page keys",
  "features/search/boards/board-grid.tsx": "arrows, which its patterns above name",
  "features/search/boards/layout.ts": "arrows, which its patterns above name",
  "features/search/graphs/chart/graph-chart.tsx": "arrows, which its patterns above name",
  "features/search/graphs/graphs-view.tsx": "Escape closes what is open",
  "features/search/map/item-details.tsx": "Escape closes what is open",
  "features/search/map/item-panel.tsx": "Escape empties the field",
  "features/search/map/path-layers-panel.tsx": "Escape closes what is open",
  "features/search/map/playback/use-scrubber-keys.ts": "a slider of ARIA",
  "features/search/map/rows/cell-card.tsx": "Escape closes what is open",
  "features/search/map/rows/cell-list.tsx": "a list box of ARIA: arrows, Home, End and Page keys",
  "features/search/results/find-box.tsx": "Escape empties the field",
  "features/search/results/results-screen.tsx": "Escape closes what is open",
  "features/search/results/table/row-details.tsx": "Escape closes what is open",
  "features/search/summaries/conditions-field.tsx": "Enter keeps the condition and leaves the form open",
  "features/search/summaries/pivot-table.tsx": "a grid of ARIA: arrows",
  "parts/dataset-picker/dataset-picker.tsx": "a combobox of ARIA: its field and its list",
  "parts/dataset-picker/multi-picker.tsx": "Enter in a field takes what is typed",
  "parts/file-browser/browser-tools.tsx": "from the filter into the list",
  "parts/file-browser/use-item-keys.ts": "arrows, which its patterns above name",
  "parts/file-preview/file-preview.tsx": "which of the pressed keys it was",
  "parts/file-preview/pdf/pdf-pager.tsx": "Enter in a field takes what is typed",
  "parts/filters/filter-bar.tsx": "a combobox of ARIA: its field and its list",
  "parts/filters/value-suggestions.tsx": "a combobox of ARIA: its field and its list",
  "parts/raw-json/use-raw-keys.ts": "a grid of ARIA: arrows, Home, End and Page keys",
  "parts/sharing/share-box.tsx": "a combobox of ARIA: its field and its list",
  "parts/text-difference/text-rows.tsx": "a grid of ARIA: arrows, Home, End and Page keys",
  "shell/frame/more-menu.tsx": "a menu of ARIA",
  "shell/palette/palette.tsx": "a combobox of ARIA: its field and its list",
  "shell/tour/tour.tsx": "the steps of the tour, which name their keys",
  "ui/dialog/use-opener.ts": "Tab moves the focus on",
  "ui/escape-menus.ts": "Escape closes what is open",
  "ui/find-box.tsx": "Escape empties the field",
  "ui/hint.tsx": "Escape closes what is open",
  "ui/kit/cells-table.tsx": "down from the last row loads more",
  "ui/kit/column-drag.ts": "Escape ends the drag",
  "ui/kit/use-cell-stops.ts": "a grid of ARIA: arrows, Home, End and Page keys",
  "ui/kit/use-cells.ts": "arrows, which its patterns above name",
  "ui/next-row-index.ts": "a grid of ARIA: arrows, Home, End and Page keys",
  "ui/tab-list.tsx": "tabs of ARIA",
  "ui/toolbar.tsx": "a toolbar of ARIA",
};

async function sources(): Promise<Map<string, string>> {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^testing\//.test(file),
  );
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(source, file), "utf8")] as const)));
}

it("every listed shortcut is handled: by a handler that asks the registry, or by a pattern that is named", async () => {
  const all = await sources();
  const asked = new Set([...all.values()].flatMap((text) => Array.from(text.matchAll(asks), ([, id = ""]) => id)));
  const unhandled = Object.keys(shortcutKeys).filter((id) => !asked.has(id) && !(id in patterns));
  const advice =
    "Handle the key with pressed(event, id) of ui/shortcut-keys.ts, or name in patterns the file of a pattern that handles it.";
  expect(unhandled, advice).toEqual([]);
  const missing = Object.entries(patterns).flatMap(([id, [file, ...texts]]) =>
    texts.filter((text) => all.get(file)?.includes(text) !== true).map((text) => `${id}: ${text} in ${file}`),
  );
  expect(missing, "The file no longer holds this text: name in patterns where the key is handled now.").toEqual([]);
});

it("every handler that compares keys itself says which it handles", async () => {
  const comparing = [...(await sources())]
    .filter(([file, text]) => comparesKeys.test(text) && file !== "ui/shortcut-keys.ts")
    .map(([file]) => file);
  const advice = "List the shortcut in ui/shortcut-keys.ts and ask pressed(event, id); for keys of a pattern of ARIA, say so in bypassing.";
  expect(comparing.filter((file) => !(file in bypassing)).toSorted(), advice).toEqual([]);
  const idle = Object.keys(bypassing).filter((file) => !comparing.includes(file));
  expect(idle, "Remove these from bypassing: they compare no keys.").toEqual([]);
});

const key = (name: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

it("a shortcut is pressed with its modifiers and no others; Shift may be needed for a character", () => {
  expect(pressed(key("K", { metaKey: true }), "everywhere.search")).toBe("Mod+k");
  expect(pressed(key("k", { ctrlKey: true, shiftKey: true }), "everywhere.search")).toBeNull();
  expect(pressed(key("k"), "everywhere.search")).toBeNull();
  expect(pressed(key("?", { shiftKey: true }), "everywhere.shortcuts")).toBe("?");
  expect(pressed(key("?", { altKey: true }), "everywhere.shortcuts")).toBeNull();
  expect(pressed(key("+", { shiftKey: true }), "drawing.zoom")).toBe("+");
  expect(pressed(key(" "), "files.select")).toBe(" ");
  expect(pressed(key(" ", { shiftKey: true }), "files.select")).toBeNull();
  expect(pressed(key("ArrowUp", { altKey: true }), "files.up")).toBe("Alt+ArrowUp");
  expect(pressed(key("ArrowUp"), "files.up")).toBeNull();
  expect(pressed(key("F10", { shiftKey: true }), "table.menu")).toBe("Shift+F10");
});
