import { outlineIcon } from "./icon.ts";

export const IconBaselineDensityMedium = outlineIcon("baseline-density-medium", [
  ["path", { d: "M4 20h16" }],
  ["path", { d: "M4 12h16" }],
  ["path", { d: "M4 4h16" }],
]);
