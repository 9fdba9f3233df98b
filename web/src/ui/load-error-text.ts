import { ChunkLoadError } from "#lib/browser/chunk-load.ts";

/** The text for a part that failed to load, and whether only a page reload helps. */
export function loadErrorText(error: unknown): { text: string; isOutdated: boolean } {
  if (!(error instanceof ChunkLoadError)) return { text: "This part of the application could not be shown.", isOutdated: false };
  return error.isOutdated
    ? { text: "A new version is available. Reload the page to use it.", isOutdated: true }
    : { text: "This part of the application could not be loaded. Try again, or reload the page.", isOutdated: false };
}
