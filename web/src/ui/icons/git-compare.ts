import { outlineIcon } from "./icon.ts";

export const IconGitCompare = outlineIcon("git-compare", [
  ["path", { d: "M4 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M16 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M11 6h5a2 2 0 0 1 2 2v8" }],
  ["path", { d: "M14 9l-3 -3l3 -3" }],
  ["path", { d: "M13 18h-5a2 2 0 0 1 -2 -2v-8" }],
  ["path", { d: "M10 15l3 3l-3 3" }],
]);
