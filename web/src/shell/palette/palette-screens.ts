import type { UiConfig } from "@fairway/contract/settings";
import type { TablerIcon } from "@tabler/icons-react";
import type { ScreenPath } from "../screens.ts";

interface ScreenGroup {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly entries: readonly { readonly label: string; readonly to: ScreenPath; readonly icon?: TablerIcon }[];
}

type FindScreens = (roles: readonly string[], disabledLinks: readonly string[], ui: Pick<UiConfig, "cac"> | null) => readonly ScreenGroup[];

let findScreens: FindScreens = () => [];

/**
 * Registers the screens that the palette lists. The palette is loaded lazily and must not import the list of screens itself:
 * every page would then be reachable from two chunks, which would split the first load into more files.
 */
export function providePaletteScreens(screens: FindScreens): void {
  findScreens = screens;
}

export const paletteScreens: FindScreens = (...user) => findScreens(...user);
