import { z } from "zod";
import { datasetParams } from "./datasets.ts";
import { maxGridLevel } from "./grid-cells.ts";
import { route } from "./route.ts";
import { searchAnswer, searchData } from "./search.ts";

/** The longest interval of a path: one year. */
export const maxIntervalMs = 31_536_000_000;

/**
 * A request for the path of one item, which `filters` select as `{name: groupItemField, operator: "=", value}`.
 *
 * Points are in time order; rows without a time or position are skipped. Only the first point of each interval since 1970 is
 * kept, so that the selection depends on neither the page nor the time range.
 */
export const pathData = searchData
  .extend({
    /** Columns of each point; combined columns are not allowed. Default: every other column. */
    columns: z.array(z.string()).min(1).optional(),
    /** Default: the setting `pathMinimumIntervalMs`. 0 keeps every point. */
    minimumIntervalMs: z.int().min(0).max(maxIntervalMs).optional(),
  })
  .meta({ id: "PathData" });
export type PathData = z.infer<typeof pathData>;
export type PathDataDraft = z.input<typeof pathData>;

/** Further columns that the rows of tracks may have. */
export const maxTrackValues = 5;

/**
 * A request for the tracks of all items. `within` comes only with `level`: it does not narrow the tracks, but refines them in a view.
 */
export const tracksData = searchData
  .extend({
    /**
     * Columns of each row besides item, time and position; combined columns are not allowed. With a number among them, the rows with the
     * least and the greatest value of the first one in each part of an item's time are included, and there are a third as many parts.
     */
    values: z.array(z.string()).min(1).max(maxTrackValues).optional(),
    /**
     * Adds the first row of every cell and part that an item crosses in the view `within`; the world is 2^level cells wide and high.
     * Checked by the handler, so that the error can name the problem.
     */
    level: z.number().meta({ minimum: 0, maximum: maxGridLevel }).optional(),
  })
  .meta({ id: "TracksData" });
export type TracksData = z.infer<typeof tracksData>;

/** Points that one track has at least and at most, not counting its last one, unless it has fewer rows. */
export const trackPoints = { min: 20, max: 500 } as const;

export const pathCount = z.object({ totalResults: z.int() }).meta({ id: "PathCount" });
export type PathCount = z.infer<typeof pathCount>;

/** Calls for datasets with `mapSupport`; refused for others. */
export const mapResults = {
  last: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/search/last",
    access: "signed-in",
    summary:
      "The newest row of each item that a search finds, newest first, with every plain column. Takes no paging; `truncated` when there are more items than the operator's limit for one response. Rows without an item or a time are left out.",
    params: datasetParams,
    body: searchData,
    response: searchAnswer,
    streamed: true,
    apiKey: true,
  }),
  path: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/search/path",
    access: "signed-in",
    summary:
      "A page of one item's points in time order, at most one per interval. Without paging the first page, `truncated` when there are more.",
    params: datasetParams,
    body: pathData,
    response: searchAnswer,
    streamed: true,
    apiKey: true,
  }),
  tracks: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/search/tracks",
    access: "signed-in",
    summary:
      "The paths of all items that a search finds, thinned: for each item the first point of equal parts of its time, and its last point. Rows hold item, time, latitude and longitude, in any order. The fewer items, the more points each has (20 to 500); with very many, only those seen last are included. With `values`, rows hold these columns, too, and those with the least and the greatest value are included; with `level` and `within`, a view is refined as far as the points suffice, and `truncated` says if they do not. Takes no paging, columns or sort.",
    params: datasetParams,
    body: tracksData,
    response: searchAnswer,
    streamed: true,
    apiKey: true,
  }),
  countPath: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/count/path",
    access: "signed-in",
    summary: "How many points the path has on all its pages.",
    params: datasetParams,
    body: pathData,
    response: pathCount,
    apiKey: true,
  }),
};
