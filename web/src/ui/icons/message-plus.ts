import { outlineIcon } from "./icon.ts";

export const IconMessagePlus = outlineIcon("message-plus", [
  ["path", { d: "M8 9h8" }],
  ["path", { d: "M8 13h6" }],
  ["path", { d: "M12.01 18.594l-4.01 2.406v-3h-2a3 3 0 0 1 -3 -3v-8a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v5.5" }],
  ["path", { d: "M16 19h6" }],
  ["path", { d: "M19 16v6" }],
]);
