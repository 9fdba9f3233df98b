import { z } from "zod";
import { operator } from "./columns.ts";
import { datasetParams, filterValue } from "./datasets.ts";
import { searchColumns } from "./derived-columns.ts";
import { calendarPart, moreOperator } from "./filters.ts";
import { isoUtc } from "./iso-utc.ts";
import { route } from "./route.ts";
import { recordOf } from "./records.ts";

/** Without `start`, everything up to the end; without `end`, everything from the start on. */
export const timeBounds = z.object({ start: isoUtc.optional(), end: isoUtc.optional() });
export const timeRange = timeBounds.refine(({ start, end }) => start !== undefined || end !== undefined, "has neither a start nor an end");
export type TimeRange = z.infer<typeof timeRange>;

/** A range with both ends, as clients of earlier versions know it: an open one ends at the first or last moment that ISO 8601 can write. */
export const closedTimeRange = z.object({ start: isoUtc, end: isoUtc });
export const closedRangeOf = ({ start = "0001-01-01T00:00:00Z", end = "9999-12-31T23:59:59.999Z" }: TimeRange) => ({ start, end });

/** Documented by its values, but parsed by the handler, so that the error can name an unknown one. */
const namedOperator = z.string().meta({ enum: [...operator.options, ...moreOperator.options] });
const namedPart = z.string().meta({ enum: calendarPart.options });

const listValue = z.array(filterValue.nullable());
const calendarValue = z.strictObject({ part: namedPart, zone: z.string(), in: z.array(z.number()) });
/** A filter within alternatives. Closed even where a search is open to unknown fields: a filter that loses one may find more rows. */
const innerFilter = z.strictObject({
  name: z.string(),
  value: z.union([filterValue, z.null(), listValue, calendarValue]),
  operator: namedOperator,
});

/**
 * A filter as it is sent, of any of the forms in `filters.ts`; which of them its operator and its column take is checked by the handler,
 * so that the error can name the problem. Null with `=` keeps rows without a value, with `<>` those with one.
 */
export const searchFilter = z.object({
  name: z.string(),
  value: z.union([filterValue, z.null(), listValue, calendarValue, z.array(z.array(innerFilter))]),
  operator: namedOperator,
});
export type SearchFilter = z.infer<typeof searchFilter>;

/**
 * A box of degrees, `[west, south, east, north]`, by which the rows are narrowed besides everything else. South and west edges belong to it;
 * a north edge of 90 does, too. `west` is -180 to 180; an `east` below it is meant 360 further. Checked by the handler, so that the error can
 * name the problem.
 */
export const viewBox = z.array(z.number()).max(16);

export const sortKey = z.object({ column: z.string(), direction: z.enum(["asc", "desc"]) });
export type SortKey = z.infer<typeof sortKey>;

/**
 * The body of every search. What a dataset allows (columns, operators, value types, ranges, areas, paging) is checked against
 * its description instead of here, so that the error can name the problem.
 */
export const searchData = z
  .object({
    /** Only for datasets with PAGINATION. */
    paging: z.object({ offset: z.int().min(0), max: z.int().min(1) }).optional(),
    /** Ends inclusive, applied to the dataset's temporal field. */
    timeRange: timeRange.optional(),
    geospatial: z
      .object({
        /** `lng lat, lng lat, …`, closed; several are combined with OR. */
        polygons: z.array(z.string().max(200_000)).min(1).max(100),
        antimeridianPolygons: z.boolean(),
      })
      .optional(),
    /** Only for datasets with a location. */
    within: viewBox.optional(),
    filters: z.array(searchFilter).default([]),
    /** For path calls only. */
    columns: z.array(z.string()).optional(),
    sort: z.array(sortKey).max(10).optional(),
    /** Columns that are computed for this search, which filters, sorting and everything else may name like those of the dataset. */
    computed: searchColumns.shape.computed,
    /** Columns of other datasets for this search. */
    lookups: searchColumns.shape.lookups,
  })
  .meta({ id: "SearchData" });
export type SearchData = z.infer<typeof searchData>;
export type SearchDataDraft = z.input<typeof searchData>;

/** Integers beyond 2^53 travel as strings; NaN and infinities as null; timestamps as epoch numbers of their unit. */
export const cellValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type CellValue = z.infer<typeof cellValue>;
export const resultRow = recordOf(z.string(), cellValue);
export type ResultRow = z.infer<typeof resultRow>;

export const searchAnswer = z
  .object({
    results: z.array(resultRow),
    /** True if a dataset without PAGINATION had more rows than one response may hold. */
    truncated: z.boolean().optional(),
    /** The version of the rows of a dataset that a user has brought: pages of different versions do not fit together. */
    dataVersion: z.int().optional(),
  })
  .meta({ id: "SearchAnswer" });
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const aggregationType = z.enum(["count", "avg", "min", "max", "sum"]);
export type AggregationType = z.infer<typeof aggregationType>;

export const aggregateParams = datasetParams.extend({
  /** count, avg, min, max or sum. Parsed by the handler, so that the error can name an unknown one. */
  aggregationType: z.string(),
  /** A column's name, or `*` for a count of rows. */
  column: z.string(),
});

/** A count over `*` returns `totalResults`; any other aggregate returns exactly one key such as `avg(price)`. */
export const aggregateAnswer = recordOf(z.string(), cellValue).meta({ id: "AggregateAnswer" });

export const rowCount = z
  .object({
    rows: z.int().nonnegative().nullable(),
    /** Only of searches by area: the rows that would be found without it and have coordinates beyond ±90 or -180 to 360. */
    outOfRange: z.int().nonnegative().optional(),
  })
  .meta({ id: "RowCount" });
export type RowCount = z.infer<typeof rowCount>;

/** Rows as an Arrow IPC stream of record batches, for callers that accept it rather than JSON. */
export const arrowStream = "application/vnd.apache.arrow.stream";

export const search = {
  /**
   * As Arrow, rows have the types of the source instead of those of JSON. The last batch has the metadata `hasMore`, `true`, if more
   * rows match.
   */
  run: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/search",
    access: "signed-in",
    summary: "One page of the rows that satisfy time range, area and every filter, as JSON or as an Arrow IPC stream.",
    params: datasetParams,
    body: searchData,
    response: searchAnswer,
    streamed: true,
    mediaTypes: ["application/json", arrowStream],
    apiKey: true,
  }),
  sample: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/sample",
    access: "signed-in",
    summary: "A few rows, quickly, without a full scan.",
    params: datasetParams,
    response: searchAnswer,
    streamed: true,
    apiKey: true,
  }),
  aggregate: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/aggregate/:aggregationType/:column",
    access: "signed-in",
    summary: "One aggregate over the rows of a search; count over * gives the total.",
    params: aggregateParams,
    body: searchData,
    response: aggregateAnswer,
    apiKey: true,
  }),
  /** Apart from the count of a search: a form asks it while its filters are being chosen, and nothing depends on the answer. */
  rowCount: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/rowCount",
    access: "signed-in",
    summary:
      "How many rows a search would find, and how many an area leaves out because their coordinates are not a valid position. Null if the dataset cannot count rows.",
    params: datasetParams,
    body: searchData,
    response: rowCount,
  }),
};
