import { outlineIcon } from "./icon.ts";

export const IconMovie = outlineIcon("movie", [
  ["path", { d: "M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12" }],
  ["path", { d: "M8 4l0 16" }],
  ["path", { d: "M16 4l0 16" }],
  ["path", { d: "M4 8l4 0" }],
  ["path", { d: "M4 16l4 0" }],
  ["path", { d: "M4 12l16 0" }],
  ["path", { d: "M16 8l4 0" }],
  ["path", { d: "M16 16l4 0" }],
]);
