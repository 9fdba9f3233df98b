import { outlineIcon } from "./icon.ts";

export const IconZoomIn = outlineIcon("zoom-in", [
  ["path", { d: "M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0" }],
  ["path", { d: "M7 10l6 0" }],
  ["path", { d: "M10 7l0 6" }],
  ["path", { d: "M21 21l-6 -6" }],
]);
