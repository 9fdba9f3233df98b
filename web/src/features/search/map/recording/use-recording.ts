import { safeFileName } from "@fairway/contract/file-names";
import { useCallback, useEffect, useRef, useState } from "react";
import type { MapCanvas } from "#features/search/map/canvas/map-canvas.ts";
import type { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import { logFailure } from "#lib/browser/log.ts";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { zonedText } from "#lib/time/time-zone.ts";
import { toastError } from "#ui/toast/toast.ts";
import { mapCaption } from "./map-caption.ts";
import { recordPlayback } from "./record-playback.ts";
import { pictureOf } from "./save-picture.ts";

/** Saves pictures and videos of the map. */
export interface MapRecording {
  /** Share of the playback that is recorded; null while nothing is recorded. */
  readonly progress: number | null;
  readonly savePicture: () => void;
  readonly record: () => void;
  readonly cancel: () => void;
}

/** Null without a map. Leaving the map cancels a recording. */
export function useRecording(map: MapCanvas | null, clock: PlaybackClock, search: SearchRecord, zone: string): MapRecording | null {
  const { category, datasetId } = search.datasetDescription;
  const [progress, setProgress] = useState<number | null>(null);
  const run = useRef<AbortController | null>(null);
  useEffect(() => () => run.current?.abort("The map was left."), []);
  const timeText = useCallback((timeMs: number) => `${zonedText(timeMs, zone) ?? ""} ${zone}`, [zone]);
  if (map === null) return null;
  const fileName = (extension: string) => safeFileName(`${category.id}_${datasetId}_map.${extension}`);
  const savePicture = async () => {
    try {
      downloadBlob(await pictureOf(map, mapCaption(datasetId), timeText(clock.state.nowMs), pictureFoot(search)), fileName("png"));
    } catch (error) {
      logFailure("The picture could not be saved", error);
      toastError("Failed to save the picture", "This browser can't save a picture of the map.");
    }
  };
  const record = async () => {
    const { signal } = (run.current = new AbortController());
    setProgress(0);
    try {
      const video = await recordPlayback({ map, clock, caption: mapCaption(datasetId), timeText, signal, onProgress: setProgress });
      downloadBlob(video, fileName("webm"));
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
