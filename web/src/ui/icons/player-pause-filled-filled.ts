import { filledIcon } from "./icon.ts";

export const IconPlayerPauseFilled = filledIcon("player-pause-filled", [
  ["path", { d: "M9 4h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h2a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2z" }],
  ["path", { d: "M17 4h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h2a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2z" }],
]);
