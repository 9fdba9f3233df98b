import { addressOfSummaries, summariesOfAddress } from "./addressed-summaries.ts";
import { registerSearchExtension } from "#parts/search-model/search-extensions.ts";

// Loaded with the application, before the tab's searches are restored, so that slices survive screens that do not load
// their views.

/** The state of the map view: `ViewStateCode`. */
export const mapExtension = registerSearchExtension({ key: "map", addressKey: "p", survivesRerun: true });

/** Graphs without their values: `StoredGraph[]`. */
export const graphsExtension = registerSearchExtension({ key: "graphs", addressKey: null, survivesRerun: false });

/** Summaries without their answers: `StoredSummary[]`. */
export const summariesExtension = registerSearchExtension({
  key: "summaries",
  addressKey: "g",
  survivesRerun: false,
  inAddress: { write: addressOfSummaries, read: summariesOfAddress },
});
