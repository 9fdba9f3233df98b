import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import type { ColorScale } from "#features/search/map/model/color-scale.ts";
import type { ScaleText } from "#features/search/map/model/scale-text.ts";
import { drawLegend } from "#features/search/map/recording/draw-legend.ts";
import { type MapRecording, useRecording } from "#features/search/map/recording/use-recording.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { GridState } from "./grid-session.ts";
import { type ColorBy, colorByTitle } from "./measures.ts";
import { countTexts } from "./rows-counts.ts";
import type { ShownCells } from "./use-cells.ts";
import type { usePlayback } from "./use-playback.ts";

interface Recorded {
  readonly record: SearchRecord;
  readonly canvas: RowsCanvas | null;
  readonly playback: ReturnType<typeof usePlayback>;
  readonly cells: ShownCells;
  readonly totals: GridState["totals"];
  readonly colorBy: ColorBy;
  readonly textOf: ScaleText;
}

/** Saves pictures and videos of the cells with their legend. */
export function useRowsRecording({ record, canvas, playback, cells, totals, colorBy, textOf }: Recorded): MapRecording | null {
  const title = colorByTitle(colorBy, record.datasetDescription.schema.columns);
  const legend = (context: CanvasRenderingContext2D, scale: ColorScale | null | undefined) => {
    if (scale) drawLegend(context, { title, scale, textOf }, globalThis.devicePixelRatio || 1);
  };
  const counts = totals === null ? [] : countTexts(totals, cells.rowsInView);
  return useRecording({
    map: canvas,
    clock: playback.clock,
    search: record,
    picture: {
      timeText: () => [...(playback.period === null ? [] : [playback.period.text]), ...counts].join(", "),
      drawMore: (context) => legend(context, cells.scale),
    },
    // The page follows more slowly than the canvas draws.
    video: {
      timeText: () => playback.drawn()?.text ?? "",
      drawMore: (context) => legend(context, playback.drawn()?.scale),
    },
    begin: playback.begin,
  });
}
