import type { MultiSelectProps, SelectProps } from "@mantine/core";
import { island } from "./island.tsx";

/** Mantine's selects for the fields of a dialog, which loads with them. */
export const Select = island<SelectProps>(async () => ({ default: (await import("./overlays.ts")).Select }));
export const MultiSelect = island<MultiSelectProps>(async () => ({ default: (await import("./overlays.ts")).MultiSelect }));

/** Loads the selects, so that they are shown with the dialog around them. Never rejects. */
export const preloadFields = (): Promise<unknown> => Promise.all([Select.preload(), MultiSelect.preload()]);
