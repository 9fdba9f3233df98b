import { outlineIcon } from "./icon.ts";

export const IconCheck = outlineIcon("check", [["path", { d: "M5 12l5 5l10 -10" }]]);
