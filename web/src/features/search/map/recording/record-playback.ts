import type { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { type Caption, type DrawnMap, drawFrame, reportCanvas } from "./report-frame.ts";

const framesPerSecond = 30;
const bitsPerSecond = 8_000_000;
/** How long the last frame stands. */
const lastFrameMs = 500;

/** The browser cannot record videos of this kind. */
export class CannotRecord extends Error {}

interface Recording {
  map: DrawnMap;
  clock: PlaybackClock;
  caption: Caption;
  /** The shown time as written on a frame. */
  timeText: () => string;
  /** Adds to a frame, such as a legend. */
  drawMore?: ((context: CanvasRenderingContext2D) => void) | undefined;
  /** Aborting discards the recording. */
  signal: AbortSignal;
  /** Share of the playback from 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Plays from the beginning and records it as a WebM video until the playback ends or is paused. Rejects with `CannotRecord`,
 * or with the reason of the signal.
 */
export async function recordPlayback({ map, clock, caption, timeText, drawMore, signal, onProgress }: Recording): Promise<Blob> {
  const { canvas, context } = reportCanvas(map);
  const mimeType = webMType();
  if (mimeType === undefined || typeof canvas.captureStream !== "function") throw new CannotRecord("This browser can't record a video.");
  const loops = clock.state.loops;
  clock.pause();
  clock.setLoops(false);
  clock.seek(clock.state.domain.fromMs);
  const draw = () => {
    drawFrame(context, map, caption, timeText());
    drawMore?.(context);
  };
  draw();
  const recorder = new MediaRecorder(canvas.captureStream(framesPerSecond), { mimeType, videoBitsPerSecond: bitsPerSecond });
  const parts: Blob[] = [];
  const ended = new AbortController();
  // While the tab is hidden, time stands still.
  const onVisibility = () => (document.hidden ? recorder.pause() : recorder.resume());
  document.addEventListener("visibilitychange", onVisibility, { signal: ended.signal });
  try {
    return await new Promise<Blob>((resolve, reject) => {
      const listen = { signal: ended.signal };
      recorder.addEventListener("dataavailable", ({ data }) => void parts.push(data), listen);
      recorder.addEventListener("error", () => reject(new CannotRecord("This browser can't record a video of this size.")), listen);
      recorder.addEventListener("stop", () => resolve(new Blob(parts, { type: "video/webm" })), listen);
      signal.addEventListener("abort", () => reject(signal.reason as Error), listen);
      signal.throwIfAborted();
      let stopping: ReturnType<typeof setTimeout> | undefined;
      ended.signal.addEventListener("abort", () => clearTimeout(stopping));
      const unsubscribe = clock.subscribe(() => {
        const { nowMs, domain, isPlaying } = clock.state;
        draw();
        onProgress((nowMs - domain.fromMs) / Math.max(1, domain.toMs - domain.fromMs));
        // The last frame is captured a little later than it is drawn.
        if (!isPlaying) stopping ??= setTimeout(() => recorder.state !== "inactive" && recorder.stop(), lastFrameMs);
      });
      ended.signal.addEventListener("abort", unsubscribe);
      recorder.start(1_000);
      clock.play();
    });
  } finally {
    ended.abort();
    clock.pause();
    clock.setLoops(loops);
    if (recorder.state !== "inactive") recorder.stop();
    for (const track of recorder.stream.getTracks()) track.stop();
  }
}

const webMType = (): string | undefined =>
  typeof MediaRecorder === "undefined"
    ? undefined
    : ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((type) => MediaRecorder.isTypeSupported(type));
