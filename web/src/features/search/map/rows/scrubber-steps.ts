import type { ScrubberSteps } from "#features/search/map/playback/scrubber.tsx";
import type { LoadedFrames } from "./frames-session.ts";
import { stepsAt, type WindowMs } from "./grid-frames.ts";
import { periodText } from "./period-text.ts";

/** The steps for the scrubber; without frames, one that does not know them yet. */
export function scrubberSteps(ready: LoadedFrames | null, windowMs: WindowMs, isUnknown: boolean): ScrubberSteps {
  if (ready === null) return { buckets: [], isUnknown, shownTime: (timeMs) => timeMs, textOf: () => "All times" };
  const { frames, size } = ready;
  const { buckets } = frames;
  const lastMs = buckets.at(-1)?.endMs ?? 0;
  return {
    buckets,
    isUnknown: false,
    shownTime: (timeMs) => buckets[stepsAt(buckets, timeMs, windowMs).to - 1]?.endMs ?? timeMs,
    textOf: (timeMs) => (timeMs >= lastMs ? "All times" : periodText(buckets, size.unit, stepsAt(buckets, timeMs, windowMs))),
  };
}
