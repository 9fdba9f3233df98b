import { outlineIcon } from "./icon.ts";

export const IconPolygon = outlineIcon("polygon", [
  ["path", { d: "M10 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M17 8a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M3 11a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M13 19a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M6.5 9.5l3.5 -3" }],
  ["path", { d: "M14 5.5l3 1.5" }],
  ["path", { d: "M18.5 10l-2.5 7" }],
  ["path", { d: "M13.5 17.5l-7 -5" }],
]);
