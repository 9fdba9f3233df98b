import { z } from "zod";
import { measureAggregations } from "./measure-text.ts";

export { type MeasureAggregation, type NamedMeasure, measureText, parseMeasure } from "./measure-text.ts";

/** How a measure is computed of a group of rows. All but `count`, `share` and `rate` need a column. */
export const measureAggregation = z.enum(measureAggregations);

/** How a measure is computed of two others. A `ratio` is 0 where the divisor is 0. */
export const derivedMeasure = z.enum(["ratio", "ratio-percent", "product", "sum", "delta"]);
export type DerivedMeasure = z.infer<typeof derivedMeasure>;
