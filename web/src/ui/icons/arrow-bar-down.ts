import { outlineIcon } from "./icon.ts";

export const IconArrowBarDown = outlineIcon("arrow-bar-down", [
  ["path", { d: "M12 20l0 -10" }],
  ["path", { d: "M12 20l4 -4" }],
  ["path", { d: "M12 20l-4 -4" }],
  ["path", { d: "M4 4l16 0" }],
]);
