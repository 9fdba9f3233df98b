import type { NavigationContext, NavigationGroup } from "../frame/navigation-entries.ts";

type FindScreens = (context: NavigationContext) => readonly NavigationGroup[];

let findScreens: FindScreens = () => [];

/**
 * Registers the screens that the palette lists. The palette is loaded on its first use and must not import the list of screens
 * itself: every page would then be reachable from two chunks, which would split the first load into more files.
 */
export function providePaletteScreens(screens: FindScreens): void {
  findScreens = screens;
}

export const paletteScreens: FindScreens = (context) => findScreens(context);
