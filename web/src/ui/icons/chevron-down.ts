import { outlineIcon } from "./icon.ts";

export const IconChevronDown = outlineIcon("chevron-down", [["path", { d: "M6 9l6 6l6 -6" }]]);
