import type { View } from "./maps.ts";

export const look: View = [-72, 37, 4];
