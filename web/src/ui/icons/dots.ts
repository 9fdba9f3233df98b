import { outlineIcon } from "./icon.ts";

export const IconDots = outlineIcon("dots", [
  ["path", { d: "M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0" }],
  ["path", { d: "M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0" }],
  ["path", { d: "M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0" }],
]);
