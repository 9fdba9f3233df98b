import { outlineIcon } from "./icon.ts";

export const IconArrowBarUp = outlineIcon("arrow-bar-up", [
  ["path", { d: "M12 4l0 10" }],
  ["path", { d: "M12 4l4 4" }],
  ["path", { d: "M12 4l-4 4" }],
  ["path", { d: "M4 20l16 0" }],
]);
