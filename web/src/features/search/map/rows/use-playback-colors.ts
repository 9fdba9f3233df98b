import { useMemo } from "react";
import { type Beyond, beyondOf, type ColorScale, isSetRange, scaleOfView } from "#features/search/map/model/color-scale.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { LoadedFrames } from "./frames-session.ts";
import { valuesOfPlayback, type WindowMs } from "./grid-frames.ts";
import { type ColorBy, columnOfMeasure } from "./measures.ts";
import { quantityOf, valueKindOf } from "./value-kind.ts";

export interface PlaybackColors {
  readonly scale: ColorScale | null;
  readonly beyond: Beyond;
}

/** Colors for everything that the playback shows, so that they do not change with the time. Null before it is loaded. */
export function usePlaybackColors(shown: {
  readonly record: SearchRecord;
  readonly ready: LoadedFrames | null;
  readonly windowMs: WindowMs;
  readonly colorBy: ColorBy;
  readonly rows: RowsState;
}): PlaybackColors | null {
  const { record, ready, windowMs, colorBy, rows } = shown;
  const { columns } = record.datasetDescription.schema;
  const { scale, palette } = rows;
  const range = isSetRange(rows.range) ? rows.range : undefined;
  const { perArea } = colorBy;
  const values = useMemo(() => (ready === null ? null : valuesOfPlayback(ready.frames, windowMs, perArea)), [ready, windowMs, perArea]);
  return useMemo(() => {
    if (values === null) return null;
    const kind = valueKindOf(columnOfMeasure(columns, colorBy), colorBy);
    const found = scaleOfView({ scale, palette, range }, values, quantityOf(colorBy), kind);
    return { scale: found, beyond: beyondOf(values, found?.range ?? { low: 0, high: 0 }) };
  }, [values, colorBy, columns, scale, palette, range]);
}
