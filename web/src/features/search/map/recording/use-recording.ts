import { safeFileName } from "@fairway/contract/file-names";
import { useEffect, useRef, useState } from "react";
import type { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import { logFailure } from "#lib/browser/log.ts";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { toastError } from "#ui/toast/toast.ts";
import { mapCaption } from "./map-caption.ts";
import { recordPlayback } from "./record-playback.ts";
import type { DrawnMap } from "./report-frame.ts";
import { pictureOf } from "./save-picture.ts";

/** Saves pictures and videos of the map. */
export interface MapRecording {
  /** Share of the playback that is recorded; null while nothing is recorded. */
  readonly progress: number | null;
  readonly savePicture: () => void;
  readonly record: () => void;
  readonly cancel: () => void;
}

/** The texts of an image besides its title. */
interface ImageTexts {
  /** The shown time. */
  readonly timeText: () => string;
  /** Adds to the map, such as a legend. */
  readonly drawMore?: (context: CanvasRenderingContext2D) => void;
}

interface Recorded {
  readonly map: DrawnMap | null;
  readonly clock: PlaybackClock;
  readonly search: SearchRecord;
  readonly picture: ImageTexts;
  readonly video: ImageTexts;
  /** Shows the beginning of the playback, which may have to be loaded. Rejects if that fails, or with the reason of the signal. */
  readonly begin?: (signal: AbortSignal) => Promise<void>;
}

/** Null without a map. Leaving the map cancels a recording. */
export function useRecording({ map, clock, search, picture, video, begin }: Recorded): MapRecording | null {
  const { category, datasetId } = search.datasetDescription;
  const [progress, setProgress] = useState<number | null>(null);
  const run = useRef<AbortController | null>(null);
  useEffect(() => () => run.current?.abort("The map was left."), []);
  if (map === null) return null;
  const fileName = (extension: string) => safeFileName(`${category.id}_${datasetId}_map.${extension}`);
  const savePicture = async () => {
    try {
      const { timeText, drawMore } = picture;
      downloadBlob(await pictureOf(map, mapCaption(datasetId), timeText(), pictureFoot(search), drawMore), fileName("png"));
    } catch (error) {
      logFailure("The picture could not be saved", error);
      toastError("Failed to save the picture", "This browser can't save a picture of the map.");
    }
  };
  const record = async () => {
    const { signal } = (run.current = new AbortController());
    setProgress(0);
    try {
      await begin?.(signal);
      const recorded = await recordPlayback({ map, clock, caption: mapCaption(datasetId), ...video, signal, onProgress: setProgress });
      downloadBlob(recorded, fileName("webm"));
    } catch (error) {
      if (!signal.aborted) {
        logFailure("The playback could not be recorded", error);
        toastError("Failed to record the playback", error instanceof Error ? error.message : "This browser can't record a video.");
      }
    } finally {
      setProgress(null);
    }
  };
  return {
    progress,
    savePicture: () => void savePicture(),
    record: () => void record(),
    cancel: () => run.current?.abort("canceled"),
  };
}
