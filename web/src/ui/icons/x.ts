import { outlineIcon } from "./icon.ts";

export const IconX = outlineIcon("x", [
  ["path", { d: "M18 6l-12 12" }],
  ["path", { d: "M6 6l12 12" }],
]);
