import { create } from "zustand";

/** A PDF of the help fileset. */
export interface HelpFile {
  name: string;
  /** Its label in the menu. */
  display: string;
}

/** The supplemental help file that is open over the screen. */
export const useHelpFile = create<{ file: HelpFile | null }>(() => ({ file: null }));

export const openHelpFile = (file: HelpFile): void => useHelpFile.setState({ file });
export const closeHelpFile = (): void => useHelpFile.setState({ file: null });
