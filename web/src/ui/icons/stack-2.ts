import { outlineIcon } from "./icon.ts";

export const IconStack2 = outlineIcon("stack-2", [
  ["path", { d: "M12 4l-8 4l8 4l8 -4l-8 -4" }],
  ["path", { d: "M4 12l8 4l8 -4" }],
  ["path", { d: "M4 16l8 4l8 -4" }],
]);
