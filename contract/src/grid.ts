import { z } from "zod";
import { datasetParams } from "./datasets.ts";
import { bucketUnit, timeBucket } from "./distributions.ts";
import { maxGridLevel } from "./grid-cells.ts";
import { route } from "./route.ts";
import { cellValue, resultRow, searchData } from "./search.ts";

export { measureAggregations, type MeasureAggregation } from "./map-view.ts";

export const gridMeasure = z.object({
  /** avg, sum, min or max. Parsed by the handler, so that the error can name an unknown one. */
  aggregation: z.string(),
  column: z.string(),
});
export type GridMeasure = z.infer<typeof gridMeasure>;

/** Steps of time that one grid may have. */
export const maxGridSteps = 120;

/** The beginning of the years 0 and 10000, in which buckets of time may start and end. */
const [firstStepMs, lastStepMs] = [-62_167_219_200_000, 253_402_300_800_000];
const stepTime = z.int().min(firstStepMs).max(lastStepMs);

/**
 * Steps of time in which each cell is counted, by the dataset's temporal field: buckets of `distribution/time`, from the one that starts at
 * `startMs` to the one that ends at `endMs` or contains it. Epoch milliseconds, `endMs` exclusive.
 */
const gridTime = z.object({ unit: bucketUnit, size: z.int().positive(), startMs: stepTime, endMs: stepTime });
export type GridTime = z.infer<typeof gridTime>;

/** Columns besides position and time that rows shown one by one have. */
const maxValues = 100;

/** A search without paging, columns and sort; without `within`, the whole world is counted. */
export const gridRequest = searchData
  .extend({
    /** The world is 2^level cells wide and high. Checked by the handler, so that the error can name the problem. */
    level: z.number().meta({ minimum: 0, maximum: maxGridLevel }),
    measure: gridMeasure.optional(),
    /** Counts each cell in steps of time as well. */
    time: gridTime.optional(),
    /** Answer the rows themselves if at most so many lie within the view. */
    rows: z.int().min(1).optional(),
    /** Columns of these rows, besides position and time. */
    values: z.array(z.string()).max(maxValues).optional(),
  })
  .meta({ id: "GridRequest" });
export type GridRequest = z.infer<typeof gridRequest>;
export type GridRequestDraft = z.input<typeof gridRequest>;

/** Four numbers. */
const answerBox = z.array(z.number());

export const gridTotals = z.object({
  rows: z.int(),
  /** Rows in cells. */
  placed: z.int(),
  /** Rows without one of the coordinates. */
  missing: z.int(),
  /** Rows whose coordinates are no place on Earth. */
  outOfRange: z.int(),
  /** Placed rows beyond the latitudes of the square map, which are counted in its outermost rows of cells. */
  polar: z.int(),
});
export type GridTotals = z.infer<typeof gridTotals>;

/** The cells with rows, by `y`, then `x`: the values at one index belong to one cell. */
export const gridCells = z.object({
  kind: z.literal("cells"),
  level: z.int(),
  /** West, south, east and north of all cells that were asked for, which may be empty. East may be beyond 180. */
  within: answerBox,
  /** The sum of the cells. */
  rows: z.int(),
  /** Only without `within` in the request. */
  totals: gridTotals.optional(),
  cells: z.object({
    /** From the antimeridian eastward. */
    x: z.array(z.int()),
    /** From the north. */
    y: z.array(z.int()),
    rows: z.array(z.int()),
    /** Rows that have a value of the measure. Only with a measure. */
    counted: z.array(z.int()).optional(),
    /** Only with a measure; null where no row has a value. */
    value: z.array(cellValue).optional(),
  }),
  /** Only with `time` in the request. Buckets, `untimed` and `elsewhen` add up to `rows`. */
  time: z
    .object({
      buckets: z.array(timeBucket),
      /** Rows in cells that have no time. */
      untimed: z.int(),
      /** Rows in cells whose time is in no bucket. */
      elsewhen: z.int(),
    })
    .optional(),
  /** Only with `time` in the request: the buckets of cells that have rows, by cell, then bucket. */
  frames: z
    .object({
      /** The index in `cells`. */
      cell: z.array(z.int()),
      /** The index in `buckets`. */
      bucket: z.array(z.int()),
      rows: z.array(z.int()),
      /** As in `cells`. */
      counted: z.array(z.int()).optional(),
      /** Only with an average, in place of `value`, so that buckets can be added up. */
      sum: z.array(cellValue).optional(),
      value: z.array(cellValue).optional(),
    })
    .optional(),
});
export type GridCells = z.infer<typeof gridCells>;

export const gridRows = z.object({
  kind: z.literal("rows"),
  level: z.int(),
  within: answerBox,
  rows: z.int(),
  /** With position, time and the requested values, in the dataset's order. */
  results: z.array(resultRow),
});
export type GridRows = z.infer<typeof gridRows>;

export const gridAnswer = z.union([gridCells, gridRows]).meta({ id: "GridAnswer" });
export type GridAnswer = z.infer<typeof gridAnswer>;

export const grids = {
  run: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/grid",
    access: "signed-in",
    summary:
      "How many rows of a search lie in each cell of a grid of the map, in the cells that cover a view or in the whole world, with a measure of each cell if one is named, and in steps of time if these are. Counts are exact. Takes no paging, columns or sort.",
    params: datasetParams,
    body: gridRequest,
    response: gridAnswer,
    streamed: true,
    apiKey: true,
  }),
};
