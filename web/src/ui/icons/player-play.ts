import { outlineIcon } from "./icon.ts";

export const IconPlayerPlay = outlineIcon("player-play", [["path", { d: "M7 4v16l13 -8l-13 -8" }]]);
