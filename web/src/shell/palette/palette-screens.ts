import type { UiConfig } from "@fairway/contract/settings";
import type { TablerIcon } from "@tabler/icons-react";
import type { ScreenPath } from "../screens.ts";

interface ScreenGroup {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly entries: readonly { readonly label: string; readonly to: ScreenPath; readonly icon?: TablerIcon }[];
}

type FindScreens = (roles: readonly string[], disabledLinks: readonly string[], ui: Pick<UiConfig, "cac"> | null) => readonly ScreenGroup[];

let find: FindScreens = () => [];

/**
 * Provides the screens that the palette lists. The palette comes late and must not import the list of screens: every page would
 * then be a part that may be loaded from two places, and the first load would be split into more files.
 */
export function providePaletteScreens(screens: FindScreens): void {
  find = screens;
}

export const paletteScreens: FindScreens = (...user) => find(...user);
