import { alt, control } from "./modifier-keys.ts";

export interface Shortcut {
  /** Pressed together, except where `or` stands between them. */
  keys: readonly string[];
  what: string;
}

/** All shortcuts, by the place where they act: those of a table, for example, act while the focus is in it. */
export const shortcutGroups: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: [control, "K"], what: "Search everything" },
      { keys: ["/"], what: "Focus the filter" },
      { keys: ["?"], what: "Show these shortcuts" },
      { keys: ["Esc"], what: "Close the open dialog or menu" },
    ],
  },
  {
    title: "Results table",
    shortcuts: [
      { keys: ["←", "→", "↑", "↓"], what: "Move between cells" },
      { keys: ["Enter"], what: "Open the row’s details" },
      { keys: [control, "C"], what: "Copy the cell" },
      { keys: ["Enter"], what: "Sort by the column, in its header" },
      { keys: [alt, "↓"], what: "Open the column’s menu" },
      { keys: [alt, "←", "or", alt, "→"], what: "Move the column" },
      { keys: ["Shift", "←", "or", "Shift", "→"], what: "Resize the column" },
    ],
  },
  {
    title: "Map and playback",
    shortcuts: [
      { keys: ["←", "→", "↑", "↓"], what: "Move the map" },
      { keys: ["+", "or", "−"], what: "Zoom the map or the time slider" },
      { keys: ["Space"], what: "Play or pause, on the time slider" },
      { keys: ["←", "or", "→"], what: "Move through time" },
      { keys: ["Shift", "←", "or", "Shift", "→"], what: "Previous or next position" },
      { keys: ["0"], what: "Show the whole time" },
    ],
  },
  {
    title: "Graphs",
    shortcuts: [
      { keys: ["←", "or", "→"], what: "Move between groups" },
      { keys: ["Shift", "←", "or", "Shift", "→"], what: "Select several groups" },
      { keys: ["Enter"], what: "Search the rows of the group" },
    ],
  },
  {
    title: "Files and texts",
    shortcuts: [
      { keys: ["←", "or", "→"], what: "Previous or next file in a preview" },
      { keys: [control, "F"], what: "Find in the text" },
    ],
  },
  {
    title: "Changes of a flow",
    shortcuts: [
      { keys: ["N", "or", "P"], what: "Next or previous change" },
      { keys: ["F"], what: "Full screen, in the drawing" },
      { keys: [control, "Enter"], what: "Send the comment" },
    ],
  },
  {
    title: "Administration tables",
    shortcuts: [
      { keys: ["Enter"], what: "Edit the entity" },
      { keys: ["Space"], what: "Select the entity" },
      { keys: ["Shift", "F10"], what: "Open the row’s menu" },
    ],
  },
];
