import { outlineIcon } from "./icon.ts";

export const IconArrowsHorizontal = outlineIcon("arrows-horizontal", [
  ["path", { d: "M7 8l-4 4l4 4" }],
  ["path", { d: "M17 8l4 4l-4 4" }],
  ["path", { d: "M3 12l18 0" }],
]);
