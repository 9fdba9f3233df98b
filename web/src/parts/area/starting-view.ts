import type { Map as MapLibreMap } from "maplibre-gl";
import { logFailure } from "#lib/browser/log.ts";
import { initialFit } from "./basemap.ts";
import type { Bounds } from "./data-extent.ts";

/** Initial view of a map of the world: the extent of the data, if that is known before the user touches the map. */
export class StartingView {
  #extent: Bounds | null = null;
  #isShown = false;
  readonly #loading: Promise<void>;
  readonly #touched = new AbortController();

  constructor(element: HTMLElement, loadExtent: () => Promise<Bounds | null>) {
    const { signal } = this.#touched;
    for (const event of ["pointerdown", "wheel", "keydown"])
      element.addEventListener(event, () => this.close(), { capture: true, passive: true, signal });
    this.#loading = loadExtent().then(
      (extent) => void (this.#extent = extent),
      (error: unknown) => logFailure("The extent of the data could not be loaded", error),
    );
  }

  /** The extent for a map that opens now; null while it is unknown. */
  take(): Bounds | null {
    this.#isShown = this.#extent !== null;
    return this.#extent;
  }

  /** Moves an open map to the extent once that is known. */
  async show(map: MapLibreMap, isStillWanted: () => boolean): Promise<void> {
    await this.#loading;
    if (this.#extent === null || this.#isShown || this.#touched.signal.aborted || !isStillWanted()) return;
    this.#isShown = true;
    map.fitBounds(this.#extent, { ...initialFit(), animate: false });
  }

  close(): void {
    this.#touched.abort();
  }
}
