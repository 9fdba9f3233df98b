import { outlineIcon } from "./icon.ts";

export const IconDeviceDesktop = outlineIcon("device-desktop", [
  ["path", { d: "M3 5a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-10" }],
  ["path", { d: "M7 20h10" }],
  ["path", { d: "M9 16v4" }],
  ["path", { d: "M15 16v4" }],
]);
