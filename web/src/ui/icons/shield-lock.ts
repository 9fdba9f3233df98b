import { outlineIcon } from "./icon.ts";

export const IconShieldLock = outlineIcon("shield-lock", [
  ["path", { d: "M12 3a12 12 0 0 0 8.5 3a12 12 0 0 1 -8.5 15a12 12 0 0 1 -8.5 -15a12 12 0 0 0 8.5 -3" }],
  ["path", { d: "M11 11a1 1 0 1 0 2 0a1 1 0 1 0 -2 0" }],
  ["path", { d: "M12 12l0 2.5" }],
]);
