import { outlineIcon } from "./icon.ts";

export const IconList = outlineIcon("list", [
  ["path", { d: "M9 6l11 0" }],
  ["path", { d: "M9 12l11 0" }],
  ["path", { d: "M9 18l11 0" }],
  ["path", { d: "M5 6l0 .01" }],
  ["path", { d: "M5 12l0 .01" }],
  ["path", { d: "M5 18l0 .01" }],
]);
