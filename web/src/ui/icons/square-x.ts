import { outlineIcon } from "./icon.ts";

export const IconSquareX = outlineIcon("square-x", [
  ["path", { d: "M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14" }],
  ["path", { d: "M9 9l6 6m0 -6l-6 6" }],
]);
