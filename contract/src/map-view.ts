import { z } from "zod";

/** How the rows of a cell become one number. */
export const measureAggregations = ["avg", "sum", "min", "max"] as const;
export type MeasureAggregation = (typeof measureAggregations)[number];

/** Widths of a cell on the screen in CSS pixels. */
export const mapCellSizes = [4, 8, 16, 32] as const;
export const defaultMapCellSize = 8;

export const mapScales = ["log", "linear", "steps"] as const;
export type MapScale = (typeof mapScales)[number];

/** Tide for counts, ember for measures, balance for values around a middle. */
export const mapPalettes = ["tide", "ember", "balance"] as const;
export type MapPalette = (typeof mapPalettes)[number];

const columnName = z.string().min(1).max(1_000);

/** How a map colors all rows: the same in the address, on boards and in the first look of a dataset. */
export const mapRowsView = z
  .object({
    /** Width of a cell in CSS pixels; 8 by default. */
    cell: z.literal(mapCellSizes).optional(),
    /** Without it, cells are colored by their number of rows. */
    measure: z.object({ aggregation: z.enum(measureAggregations), column: columnName }).optional(),
    /** Rows per 100 km² instead of rows per cell. Has no meaning with a measure. */
    perArea: z.boolean().optional(),
    /** Logarithmic for counts and linear for measures by default. */
    scale: z.enum(mapScales).optional(),
    /**
     * The values at the ends of the scale, in the unit of the column, or `full` for the least and the greatest that the map shows first.
     * Computed where it is missing.
     */
    range: z
      .union(
        [
          z.literal("full"),
          z
            .object({ low: z.number(), high: z.number(), isTyped: z.boolean().optional() })
            .refine(({ low, high }) => low <= high, "has a high end below its low end"),
        ],
        'is not "full", and has no low and high end in numbers',
      )
      .optional(),
    palette: z.enum(mapPalettes).optional(),
  })
  .meta({ id: "MapRowsView" });
export type MapRowsView = z.infer<typeof mapRowsView>;

/** How the map of a dataset looks first. */
export const mapView = z
  .object({
    show: z.enum(["items", "rows"]),
    /** Columns that color and size the items. */
    colorBy: columnName.optional(),
    sizeBy: columnName.optional(),
    rows: mapRowsView.optional(),
  })
  .meta({ id: "MapView" });
export type MapView = z.infer<typeof mapView>;

/** The first look of a map without what names columns that are not there. */
export function mapViewOf(view: MapView | null | undefined, isThere: (name: string) => boolean): MapView | null {
  if (view == null) return null;
  const { colorBy, sizeBy, rows, ...rest } = view;
  const { measure, range: _range, ...look } = rows ?? {};
  const isMeasured = measure === undefined || isThere(measure.column);
  return {
    ...rest,
    ...(colorBy !== undefined && isThere(colorBy) && { colorBy }),
    ...(sizeBy !== undefined && isThere(sizeBy) && { sizeBy }),
    // A range is of the values of its measure.
    ...(rows && { rows: isMeasured ? rows : look }),
  };
}
