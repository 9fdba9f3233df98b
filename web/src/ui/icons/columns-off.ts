import { outlineIcon } from "./icon.ts";

export const IconColumnsOff = outlineIcon("columns-off", [
  ["path", { d: "M4 6h2" }],
  ["path", { d: "M4 10h5.5" }],
  ["path", { d: "M4 14h5.5" }],
  ["path", { d: "M4 18h5.5" }],
  ["path", { d: "M14.5 6h5.5" }],
  ["path", { d: "M14.5 10h5.5" }],
  ["path", { d: "M18 14h2" }],
  ["path", { d: "M14.5 18h3.5" }],
  ["path", { d: "M3 3l18 18" }],
]);
