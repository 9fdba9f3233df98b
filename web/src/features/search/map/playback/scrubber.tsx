import { IconPlayerPauseFilled } from "#ui/icons/player-pause-filled-filled.ts";
import { IconPlayerPlayFilled } from "#ui/icons/player-play-filled-filled.ts";
import { IconPlayerSkipBackFilled } from "#ui/icons/player-skip-back-filled-filled.ts";
import { IconPlayerSkipForwardFilled } from "#ui/icons/player-skip-forward-filled-filled.ts";
import type { TimeBucket } from "@fairway/contract/distributions";
import { useEffect, useId, useMemo, useRef } from "react";
import { utc, zonedText } from "#lib/time/time-zone.ts";
import { IconButton } from "#ui/icon-button.tsx";
import type { PlaybackClock } from "./clock.ts";
import { barsPath, bucketsPath, type EventTimes, histogram } from "./event-times.ts";
import { PlaybackOptions } from "./playback-options.tsx";
import { tickText } from "./playback-text.ts";
import { useAxisPointer } from "./use-axis-pointer.ts";
import { useClock } from "./use-clock.ts";
import { useScrubberKeys } from "./use-scrubber-keys.ts";
import classes from "./scrubber.module.css";

interface Props {
  clock: PlaybackClock;
  times: EventTimes;
  /** The time zone of displayed times, from `useResultZone()`. */
  zone: string;
  /** Of a playback that shows whole steps of time; without them it shows the moment of the clock. */
  steps?: ScrubberSteps | undefined;
}

/** Steps that a playback shows: it stands at their ends. */
export interface ScrubberSteps {
  /** Empty until they are loaded. */
  readonly buckets: readonly TimeBucket[];
  /** The domain of the clock stands for a time that is not known yet. */
  readonly isUnknown: boolean;
  /** The end of the step that is shown at a time. */
  readonly shownTime: (timeMs: number) => number;
  /** The shown time in words. */
  readonly textOf: (timeMs: number) => string;
}

const barCount = 180;
const stepLabels = { cumulative: "Everything so far", window: "Recent rows" };
const tickCount = 5;
/** Minimum interval between screen reader announcements during playback. */
const announceIntervalMs = 2_000;

/** The time control of the map: play, pause, step and seek. */
export function Scrubber({ clock, times, zone, steps }: Props) {
  const isPlaying = useClock(clock, "isPlaying");
  const domain = useClock(clock, "domain");
  const axis = useClock(clock, "axis");
  const root = useRef<HTMLElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const now = useRef<HTMLSpanElement>(null);
  const id = useId();
  useTimeDisplay(clock, zone, { root, slider, now }, steps);
  useAxisPointer(clock, slider);
  const onKeyDown = useScrubberKeys(clock, times);
  const bars = useMemo(
    () => (steps ? bucketsPath(steps.buckets, axis, barCount) : barsPath(histogram(times, axis, barCount))),
    [steps, times, axis],
  );
  const unit = steps ? "step" : "position";
  const isZoomed = axis.fromMs > domain.fromMs || axis.toMs < domain.toMs;
  const isEmpty = domain.toMs <= domain.fromMs;
  // Steps are those of the calendar of UTC, and the axis ends where another one would begin.
  const tickOf = (timeMs: number, isLast: boolean) =>
    steps ? tickText(isLast ? timeMs - 1 : timeMs, axis, utc) : tickText(timeMs, axis, zone);
  const ticks = Array.from({ length: tickCount }, (_, index) => axis.fromMs + ((axis.toMs - axis.fromMs) * index) / (tickCount - 1));
  return (
    <section ref={root} className={classes["playback"]} aria-label="Playback">
      <div className={classes["controls"]}>
        <div className={classes["buttons"]}>
          <button type="button" className={classes["play"]} disabled={isEmpty} onClick={() => (isPlaying ? clock.pause() : clock.play())}>
            {isPlaying ? <IconPlayerPauseFilled size={20} aria-hidden /> : <IconPlayerPlayFilled size={20} aria-hidden />}
            {isPlaying ? "Pause" : "Play"}
          </button>
          <IconButton label={`Previous ${unit}`} disabled={isEmpty} onClick={() => clock.step(-1, times)}>
            <IconPlayerSkipBackFilled size={16} aria-hidden />
          </IconButton>
          <IconButton label={`Next ${unit}`} disabled={isEmpty} onClick={() => clock.step(1, times)}>
            <IconPlayerSkipForwardFilled size={16} aria-hidden />
          </IconButton>
          <PlaybackOptions clock={clock} labels={steps && stepLabels} />
        </div>
        <div className={classes["now"]}>
          <span ref={now} /> {steps ? "" : zone}
        </div>
      </div>
      <div className={classes["time"]}>
        <div
          ref={slider}
          className={classes["axis"]}
          role="slider"
          tabIndex={isEmpty ? -1 : 0}
          aria-label="Time"
          aria-disabled={isEmpty}
          aria-valuemin={domain.fromMs}
          aria-valuemax={domain.toMs}
          aria-valuenow={Math.round(clock.state.nowMs)}
          aria-describedby={id}
          onKeyDown={onKeyDown}
        >
          <svg viewBox={`0 0 ${barCount} 1`} preserveAspectRatio="none" aria-hidden>
            <path d={bars} />
          </svg>
          <svg viewBox={`0 0 ${barCount} 1`} preserveAspectRatio="none" aria-hidden className={classes["earlier"]}>
            <path d={bars} />
          </svg>
          <div className={classes["track"]} />
          <div className={classes["knob"]} />
        </div>
        <div className={classes["ticks"]} aria-hidden>
          {ticks.map((timeMs, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- ticks are identified by their position on the axis
            <span key={index}>{(isEmpty && index > 0) || steps?.isUnknown ? "" : tickOf(timeMs, index === tickCount - 1)}</span>
          ))}
        </div>
        {isZoomed && (
          <button type="button" className={classes["whole"]} onClick={() => clock.setAxis(domain)}>
            Whole time
          </button>
        )}
        <span id={id} hidden>
          Left and Right Arrow move through time, with Shift from {unit} to {unit}; Home and End go to its ends; Space plays and pauses;
          plus and minus zoom, 0 shows the whole time.
        </span>
      </div>
    </section>
  );
}

interface TimeElements {
  root: React.RefObject<HTMLElement | null>;
  slider: React.RefObject<HTMLElement | null>;
  now: React.RefObject<HTMLElement | null>;
}

/** Writes the time into the DOM directly: it changes every frame, and React need not render for it. */
function useTimeDisplay(clock: PlaybackClock, zone: string, { root, slider, now }: TimeElements, steps: ScrubberSteps | undefined): void {
  useEffect(() => {
    let announcedMs = Number.NEGATIVE_INFINITY;
    const show = () => {
      const { nowMs: clockMs, isPlaying, axis, mode, windowMs } = clock.state;
      const nowMs = steps?.shownTime(clockMs) ?? clockMs;
      const spanMs = Math.max(1, axis.toMs - axis.fromMs);
      const share = (timeMs: number) => Math.min(1, Math.max(0, (timeMs - axis.fromMs) / spanMs));
      const text = steps ? steps.textOf(clockMs) : (zonedText(nowMs, zone) ?? "");
      root.current?.style.setProperty("--now", `${share(nowMs) * 100}%`);
      root.current?.style.setProperty("--since", `${mode === "window" ? share(nowMs - windowMs) * 100 : 0}%`);
      root.current?.toggleAttribute("data-outside", nowMs < axis.fromMs || nowMs > axis.toMs);
      if (now.current?.textContent !== text) now.current?.replaceChildren(text);
      const realMs = performance.now();
      if (isPlaying && realMs - announcedMs < announceIntervalMs) return;
      announcedMs = realMs;
      slider.current?.setAttribute("aria-valuenow", String(Math.round(nowMs)));
      slider.current?.setAttribute("aria-valuetext", steps ? text : `${text} ${zone}`);
    };
    show();
    return clock.subscribe(show);
  }, [clock, zone, root, slider, now, steps]);
}
