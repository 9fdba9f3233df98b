import { outlineIcon } from "./icon.ts";

export const IconShare = outlineIcon("share", [
  ["path", { d: "M3 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" }],
  ["path", { d: "M15 6a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" }],
  ["path", { d: "M15 18a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" }],
  ["path", { d: "M8.7 10.7l6.6 -3.4" }],
  ["path", { d: "M8.7 13.3l6.6 3.4" }],
]);
