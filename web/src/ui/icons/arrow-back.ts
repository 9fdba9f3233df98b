import { outlineIcon } from "./icon.ts";

export const IconArrowBack = outlineIcon("arrow-back", [["path", { d: "M9 11l-4 4l4 4m-4 -4h11a4 4 0 0 0 0 -8h-1" }]]);
