import { outlineIcon } from "./icon.ts";

export const IconChartBarOff = outlineIcon("chart-bar-off", [
  ["path", { d: "M3 13a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -6" }],
  ["path", { d: "M12 8h2a1 1 0 0 1 1 1v2m0 4v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-10" }],
  ["path", { d: "M15 11v-6a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v12m-1 3h-4a1 1 0 0 1 -1 -1v-4" }],
  ["path", { d: "M4 20h14" }],
  ["path", { d: "M3 3l18 18" }],
]);
