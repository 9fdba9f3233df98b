import { outlineIcon } from "./icon.ts";

export const IconPassword = outlineIcon("password", [
  ["path", { d: "M12 10v4" }],
  ["path", { d: "M10 13l4 -2" }],
  ["path", { d: "M10 11l4 2" }],
  ["path", { d: "M5 10v4" }],
  ["path", { d: "M3 13l4 -2" }],
  ["path", { d: "M3 11l4 2" }],
  ["path", { d: "M19 10v4" }],
  ["path", { d: "M17 13l4 -2" }],
  ["path", { d: "M17 11l4 2" }],
]);
