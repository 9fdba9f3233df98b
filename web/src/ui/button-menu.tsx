import { island } from "./island.tsx";
import type { ButtonMenuProps } from "./menu-of-button.tsx";

/** The menu of the button that `useMenuButton` describes. */
export const ButtonMenu = island<ButtonMenuProps>(async () => ({ default: (await import("./overlays.ts")).MenuOfButton }));
