import { z } from "zod";
import { operator } from "./columns.ts";
import { datasetParams } from "./datasets.ts";
import { measureAggregation } from "./measures.ts";
import { route } from "./route.ts";
import { cellValue, searchData, searchFilter, timeBounds, timeRange } from "./search.ts";

/** Bounds of one breakdown besides its setting `breakdownCells`. */
export const breakdownLimits = {
  groupings: 3,
  measures: 20,
  /** Conditions of `having`. */
  conditions: 20,
  /** Groups that `top` names. The empty ones and Other come besides. */
  topCount: 999,
  /** Entries of a breakdown by one grouping without `top`, and buckets of its time; `isCut` says that there are more. */
  listedEntries: 1_000,
  /** Groups made by users. */
  groups: 200,
  /** A time bucket spans up to this many units. */
  size: 1_000,
  edges: 1_000,
  groupFilters: 20,
  /** Filters of one measure. */
  whereFilters: 100,
  labelCharacters: 200,
  idCharacters: 1_000,
  zoneCharacters: 100,
  /** Longer texts have no `narrow`. */
  narrowCharacters: 10_000,
} as const;

/** How distinct counts, medians and percentiles are computed. */
export const breakdownAccuracy = z.enum(["exact", "estimate"]);

/** Units of time groupings, which follow the calendar of a zone. */
export const breakdownUnit = z.enum(["minute", "hour", "day", "week", "month", "quarter", "year"]);
export type BreakdownUnit = z.infer<typeof breakdownUnit>;

/** Parts of times in a zone. `dayOfWeek` is 1 for Monday, `weekOfYear` follows ISO 8601. */
export const timePart = z.enum(["minuteOfHour", "hourOfDay", "dayOfWeek", "dayOfMonth", "weekOfYear", "monthOfYear", "quarterOfYear"]);
export type TimePart = z.infer<typeof timePart>;

/** Orders weeks and the days of the week; Monday is always day 1. */
export const weekStart = z.enum(["monday", "sunday", "saturday"]);
export type WeekStart = z.infer<typeof weekStart>;

const id = z.string().min(1).max(breakdownLimits.idCharacters);
const direction = z.enum(["asc", "desc"]);
/** An IANA name. Parsed by the handler, so that the error can name it. */
const zone = z.string().max(breakdownLimits.zoneCharacters);

/**
 * The order of a grouping's entries. `by` is `key` or a measure's id. Default: the measure of `top`, else the first measure for values,
 * and their own order for all others. Ties go by key, and entries without a value come last in both directions.
 */
const sort = z.strictObject({
  by: id,
  /** Of a measure; all but `value` need a comparison. Default: `value`. */
  of: z.enum(["value", "before", "change", "percent"]).optional(),
  /** Default: descending for measures, ascending for keys. */
  direction: direction.optional(),
});

const further = {
  /** Default: the column, with the kind added where a column occurs twice (`date.dayOfWeek`); `groups` for groups made by users. */
  id: id.optional(),
  sort: sort.optional(),
};

/** One entry for each value. */
const byValue = z.strictObject({
  kind: z.literal("value"),
  column: z.string(),
  ...further,
  /** Only the best groups, chosen over the whole search. Default: all, up to `listedEntries` of a single grouping. */
  top: z
    .strictObject({
      count: z.int().min(1).max(breakdownLimits.topCount),
      /** A measure's id. Default: the first measure. */
      by: id.optional(),
      /** Default: `desc`. */
      direction: direction.optional(),
      /** All other rows that have a value as one entry. Default: false. */
      other: z.boolean().optional(),
    })
    .optional(),
  /** Whether rows without a value are an entry. Default: `show`. */
  empty: z.enum(["show", "hide"]).optional(),
});

/** Buckets of time without gaps, from the start of the search's time range to its end, else from the first to the last row. */
const byTime = z.strictObject({
  kind: z.literal("time"),
  /** Default: the dataset's time column. */
  column: z.string().optional(),
  ...further,
  unit: breakdownUnit,
  /** Units of a bucket, which begin at multiples counted from 1970 in the zone. Default: 1. */
  size: z.int().min(1).max(breakdownLimits.size).optional(),
  /** Default: UTC. */
  zone: zone.optional(),
  /** Default: `monday`. */
  weekStart: weekStart.optional(),
});

/** Every member of a part of time, such as the seven days of the week. */
const byPart = z.strictObject({
  kind: z.literal("part"),
  /** Default: the dataset's time column. */
  column: z.string().optional(),
  ...further,
  part: timePart,
  /** Default: UTC. */
  zone: zone.optional(),
  /** Default: `monday`. */
  weekStart: weekStart.optional(),
});

/** Ranges of numbers by exactly one of `width`, `edges` and `about`. The first and the last one are open. */
const byRange = z.strictObject({
  kind: z.literal("range"),
  column: z.string(),
  ...further,
  width: z.number().positive().optional(),
  /** An edge, with `width` only. Default: 0. */
  origin: z.number().optional(),
  /** Ascending; n edges make n + 1 ranges. A value on an edge belongs to the range that begins there. */
  edges: z.array(z.number()).min(1).max(breakdownLimits.edges).optional(),
  /** About this many ranges of a round width, between the 1st and the 99th percentile. */
  about: z.int().min(2).max(200).optional(),
});

/** Groups made by users. */
const byGroups = z.strictObject({
  kind: z.literal("groups"),
  ...further,
  groups: z
    .array(
      z.strictObject({
        label: z.string().min(1).max(breakdownLimits.labelCharacters),
        filters: z.array(searchFilter).max(breakdownLimits.groupFilters),
      }),
    )
    .min(1)
    .max(breakdownLimits.groups),
  /** `all`: a row is in every group that it matches; `first`: in the first of them only. Default: `all`. */
  match: z.enum(["all", "first"]).optional(),
  /** The rows of no group as one entry. Default: false. */
  other: z.boolean().optional(),
});

export const breakdownGrouping = z
  .discriminatedUnion("kind", [byValue, byTime, byPart, byRange, byGroups])
  .meta({ id: "BreakdownGrouping" });
export type BreakdownGrouping = z.infer<typeof breakdownGrouping>;

/**
 * A figure of each group. The text form of `measures.ts` is its default id. With a list in `of`, it is derived from two other measures:
 * `ratio` (0 where the divisor is 0), `ratio-percent`, `product`, `sum` and `delta`.
 */
export const breakdownMeasure = z
  .strictObject({
    /** Parsed by the handler, so that the error can name an unknown one. */
    aggregation: z.string().meta({ enum: measureAggregation.options }),
    /** Default: `*`, for `count`, `share` and `rate`. */
    column: z.string().optional(),
    /** Of `percentile`. */
    p: z.number().min(0).max(1).optional(),
    /** The rows of a group that count; of `rate` the rows whose part of the group it is. */
    where: z.array(searchFilter).max(breakdownLimits.whereFilters).optional(),
    /** Of a `share`: the whole (default: `all`). Of derived measures: the ids of two others. */
    of: z.union([z.enum(["all", "row", "column"]), z.tuple([id, id])]).optional(),
    id: id.optional(),
  })
  .meta({ id: "BreakdownMeasure" });
export type BreakdownMeasure = z.infer<typeof breakdownMeasure>;

/** Without `on`: of a cell, which is dropped from a table. With a grouping's id: of its entries. All conditions have to hold. */
export const breakdownCondition = z.strictObject({ measure: id, operator, value: z.number(), on: id.optional() });
export type BreakdownCondition = z.infer<typeof breakdownCondition>;

export const breakdownRequest = z
  .strictObject({
    /** Without `paging`, `columns` and `sort`. */
    search: searchData,
    /** Default: none, which makes one cell. */
    by: z.array(breakdownGrouping).max(breakdownLimits.groupings).optional(),
    measures: z.array(breakdownMeasure).min(1).max(breakdownLimits.measures),
    having: z.array(breakdownCondition).max(breakdownLimits.conditions).optional(),
    /** With another range of the dataset's time: the one before, the one a year before, or any. */
    compare: z.strictObject({ to: z.union([z.enum(["before", "year-before"]), timeRange]) }).optional(),
    /** Default: false. */
    totals: z.boolean().optional(),
    /** Default: exact, except distinct counts, medians and percentiles of tables of Trino and Presto. */
    accuracy: breakdownAccuracy.optional(),
    /** Computes the answer even where one is kept. Default: false. */
    fresh: z.boolean().optional(),
  })
  .meta({ id: "BreakdownRequest" });
export type BreakdownRequest = z.infer<typeof breakdownRequest>;
export type BreakdownRequestDraft = z.input<typeof breakdownRequest>;

/** Filters and range that an entry adds to the search to find exactly its rows. `timeRange` replaces that of the search, whose rows it is a part of. */
export const breakdownNarrow = z.object({ filters: z.array(searchFilter).optional(), timeRange: timeBounds.optional() });
export type BreakdownNarrow = z.infer<typeof breakdownNarrow>;

const ofRows = {
  /** Null if no search finds exactly these rows; `reason` says why. */
  narrow: breakdownNarrow.nullable(),
  reason: z.string().optional(),
};

export const breakdownEntry = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("value"), value: cellValue, ...ofRows }),
    /** Rows without a value. */
    z.object({ kind: z.literal("empty"), ...ofRows }),
    /** Rows with a value that no other entry names. `count`: the number of their groups; null if they are not groups of values. */
    z.object({ kind: z.literal("other"), count: z.int().nullable(), ...ofRows }),
    /** `endMs` is exclusive; both are epoch milliseconds. `text` is the start on the clocks of the zone: `2001-04-01T00:00`. */
    z.object({ kind: z.literal("time"), startMs: z.number(), endMs: z.number(), text: z.string(), ...ofRows }),
    /** Rows outside the years 1 to 9999. */
    z.object({ kind: z.literal("outside"), ...ofRows }),
    z.object({ kind: z.literal("part"), number: z.int(), name: z.string(), ...ofRows }),
    /** `from` is inclusive, `to` exclusive; null: open. */
    z.object({ kind: z.literal("range"), from: z.number().nullable(), to: z.number().nullable(), ...ofRows }),
    z.object({ kind: z.literal("group"), label: z.string(), ...ofRows }),
  ])
  .meta({ id: "BreakdownEntry" });
export type BreakdownEntry = z.infer<typeof breakdownEntry>;

export const breakdownAxis = z
  .object({
    id: z.string(),
    kind: z.enum(["value", "time", "part", "range", "groups"]),
    /** Null for groups made by users. */
    column: z.string().nullable(),
    /** The column's type; null for groups made by users. */
    type: z.string().nullable(),
    unit: z.string().optional(),
    /** Groups in the search, however many of them are entries; without the empty one. */
    found: z.int(),
    /** Groups that do not meet the conditions, and their rows. */
    failing: z.object({ groups: z.int(), rows: z.int() }),
    /** In the order of the grouping; Other, outside and empty come last, in this order. */
    entries: z.array(breakdownEntry),
  })
  .meta({ id: "BreakdownAxis" });
export type BreakdownAxis = z.infer<typeof breakdownAxis>;

/** In the order of the measures. Whole numbers beyond 2^53 and decimals with more digits than a number holds are texts. */
const values = z.array(cellValue);

const breakdownTotal = z.object({ values, before: values.optional() });

export const breakdownAnswer = z
  .object({
    by: z.array(breakdownAxis),
    measures: z.array(
      z.object({
        id: z.string(),
        /** `%`, or the unit of its column. */
        unit: z.string().nullable(),
        /** The type of its values as that of a column. */
        type: z.string(),
        isEstimate: z.boolean(),
      }),
    ),
    /**
     * `at` is the place of the entry of each grouping. A breakdown by one grouping has a cell for each entry, a table only those with
     * rows that meet the conditions. `before`: the same over the range of the comparison; null where it has no such entry.
     */
    cells: z.array(z.object({ at: z.array(z.int()), values, before: values.nullable().optional() })),
    /** Over all rows of the search, and from two groupings on over the rows of each entry; only if asked for. */
    totals: z.object({ all: breakdownTotal, axes: z.array(z.array(breakdownTotal)) }).nullable(),
    /** Rows of the search. */
    rows: z.int(),
    /** The range that it is compared with. */
    compare: z.object({ timeRange }).nullable(),
    /** Whether there are more entries than are listed. */
    isCut: z.boolean(),
    /** `DuckDB`, `Trino` or `Presto`. */
    engine: z.string(),
    /** Version of the zones' rules, such as `2025b`. */
    zoneData: z.string(),
    /** When it was computed, in epoch milliseconds, and how long that took. */
    computedMs: z.number(),
    durationMs: z.number(),
  })
  .meta({ id: "BreakdownAnswer" });
export type BreakdownAnswer = z.infer<typeof breakdownAnswer>;

export const explainedBreakdown = z
  .object({ statements: z.array(z.object({ sql: z.string(), engine: z.string() })) })
  .meta({ id: "ExplainedBreakdown" });

export const breakdowns = {
  run: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/breakdown",
    access: "signed-in",
    summary: "Figures of a search by up to three groupings, with totals, Other and a comparison, each computed from rows.",
    params: datasetParams,
    body: breakdownRequest,
    response: breakdownAnswer,
    streamed: true,
    bodyLimit: 4_194_304,
    apiKey: true,
  }),
  explain: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/breakdown/explain",
    access: { role: "admin" },
    summary: "The statements that compute a breakdown, with the dataset's id in place of its table and values as literals.",
    params: datasetParams,
    body: breakdownRequest,
    response: explainedBreakdown,
    bodyLimit: 4_194_304,
  }),
};
