import { outlineIcon } from "./icon.ts";

export const IconLetterT = outlineIcon("letter-t", [
  ["path", { d: "M6 4l12 0" }],
  ["path", { d: "M12 4l0 16" }],
]);
