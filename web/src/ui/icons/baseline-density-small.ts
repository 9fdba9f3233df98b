import { outlineIcon } from "./icon.ts";

export const IconBaselineDensitySmall = outlineIcon("baseline-density-small", [
  ["path", { d: "M4 3h16" }],
  ["path", { d: "M4 9h16" }],
  ["path", { d: "M4 15h16" }],
  ["path", { d: "M4 21h16" }],
]);
