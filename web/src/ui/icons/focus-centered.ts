import { outlineIcon } from "./icon.ts";

export const IconFocusCentered = outlineIcon("focus-centered", [
  ["path", { d: "M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0" }],
  ["path", { d: "M4 8v-2a2 2 0 0 1 2 -2h2" }],
  ["path", { d: "M4 16v2a2 2 0 0 0 2 2h2" }],
  ["path", { d: "M16 4h2a2 2 0 0 1 2 2v2" }],
  ["path", { d: "M16 20h2a2 2 0 0 0 2 -2v-2" }],
]);
