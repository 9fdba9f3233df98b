import { outlineIcon } from "./icon.ts";

export const IconFileInfo = outlineIcon("file-info", [
  ["path", { d: "M14 3v4a1 1 0 0 0 1 1h4" }],
  ["path", { d: "M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2" }],
  ["path", { d: "M11 14h1v4h1" }],
  ["path", { d: "M12 11h.01" }],
]);
