import "vitest/browser";

declare module "vitest" {
  interface ProvidedContext {
    /** A regular expression that the names of states match. */
    onlyStates: string;
  }
}

// Of scripts/nets/vitest.config.ts.
declare module "vitest/browser" {
  interface BrowserCommands {
    /** The number of files that the page is loading. */
    filesInFlight: () => Promise<number>;
    /** Makes room for a page of this size, which is shown smaller otherwise, and moves the pointer where it touches nothing. */
    prepareWindow: (width: number, height: number) => Promise<void>;
    saveNet: (state: string, file: string, text: string) => Promise<void>;
    /** Saves roles, names and texts of the page in their order. */
    saveTree: (state: string, file: string) => Promise<void>;
    savePicture: (state: string, file: string) => Promise<void>;
  }
}
