import { registerSearchExtension } from "#parts/search-model/search-extensions.ts";

// Loaded with the application, before the tab's searches are restored: what the views keep of a search outlives screens without them.

/** Where the person is on the map: `PlaceCode`. */
export const mapExtension = registerSearchExtension({ key: "map", addressKey: "p", survivesRerun: true });

/** The graphs without their values: `StoredGraph[]`. */
export const graphsExtension = registerSearchExtension({ key: "graphs", addressKey: null, survivesRerun: false });
