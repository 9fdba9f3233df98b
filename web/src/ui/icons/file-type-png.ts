import { outlineIcon } from "./icon.ts";

export const IconFileTypePng = outlineIcon("file-type-png", [
  ["path", { d: "M14 3v4a1 1 0 0 0 1 1h4" }],
  ["path", { d: "M5 12v-7a2 2 0 0 1 2 -2h7l5 5v4" }],
  ["path", { d: "M20 15h-1a2 2 0 0 0 -2 2v2a2 2 0 0 0 2 2h1v-3" }],
  ["path", { d: "M5 18h1.5a1.5 1.5 0 0 0 0 -3h-1.5v6" }],
  ["path", { d: "M11 21v-6l3 6v-6" }],
]);
