import { outlineIcon } from "./icon.ts";

export const IconWand = outlineIcon("wand", [
  ["path", { d: "M6 21l15 -15l-3 -3l-15 15l3 3" }],
  ["path", { d: "M15 6l3 3" }],
  ["path", { d: "M9 3a2 2 0 0 0 2 2a2 2 0 0 0 -2 2a2 2 0 0 0 -2 -2a2 2 0 0 0 2 -2" }],
  ["path", { d: "M19 13a2 2 0 0 0 2 2a2 2 0 0 0 -2 2a2 2 0 0 0 -2 -2a2 2 0 0 0 2 -2" }],
]);
