import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import type { ClockSettings } from "#features/search/map/model/map-view-state.ts";
import { prefersReducedMotion } from "#lib/browser/reduced-motion.ts";
import { type EventTimes, timeAfter, timeBefore } from "./event-times.ts";

export const minSpeed = 0.01;
/** Enough to play a thousand years in about half a minute. */
export const maxSpeed = 1_000_000_000;

export interface PlaybackState {
  /** The time of the data, in epoch milliseconds, always within the domain. */
  readonly nowMs: number;
  readonly isPlaying: boolean;
  /** Milliseconds of data time per millisecond of real time. */
  readonly speed: number;
  /** `cumulative` shows everything up to now, `window` the last `windowMs` before it. */
  readonly mode: "cumulative" | "window";
  readonly windowMs: number;
  /** Restarts at the end instead of stopping. */
  readonly loops: boolean;
  /** From the first to the last time of the data. */
  readonly domain: TimeWindow;
  /** The part of the domain that the scrubber shows. */
  readonly axis: TimeWindow;
}

/** Frame scheduling, replaceable in tests. */
export interface Frames {
  now(): number;
  request(callback: () => void): number;
  cancel(handle: number): void;
}

/** With reduced motion, time moves twice a second instead of smoothly. */
const reducedMotionFrameMs = 500;

const browserFrames: Frames = {
  now: () => performance.now(),
  request: (callback) => (prefersReducedMotion() ? -setTimeout(callback, reducedMotionFrameMs) : requestAnimationFrame(() => callback())),
  cancel: (handle) => (handle < 0 ? clearTimeout(-handle) : cancelAnimationFrame(handle)),
};

const clamp = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));

/** Maximum real time that one frame may cover, after a hidden tab or a slow frame. */
const maxFrameMs = 1_000;

/**
 * The clock of a playback. It requests frames only while playing and notifies its listeners once per frame; they read
 * `state` or `window()`. The map subscribes directly, so that React does not run per frame. `<Scrubber clock times zone
 * />` in `scrubber.tsx` displays it: `times` are the times of all events, `zone` comes from `useResultZone()`.
 */
export class PlaybackClock {
  #state: PlaybackState;
  readonly #frames: Frames;
  readonly #listeners = new Set<() => void>();
  #frame: number | null = null;
  #lastTickMs = 0;
  /** Whether the values were chosen by a person; otherwise they follow the domain. */
  readonly #chosen: { speed: boolean; window: boolean };
  /** The restored start time, which the domain may include only once more data is loaded. Null once the time is moved. */
  #startMs: number | null;

  /** Starts at the end, where everything is shown, and plays the domain in 30 seconds, unless `settings` say otherwise. */
  constructor(domain: TimeWindow, { settings = null, frames = browserFrames }: { settings?: ClockSettings | null; frames?: Frames } = {}) {
    this.#frames = frames;
    const [atMs, windowMs, speed] = settings ?? [null, null, null];
    this.#startMs = atMs;
    this.#chosen = { speed: speed !== null, window: windowMs !== null };
    this.#state = {
      nowMs: clamp(atMs ?? domain.toMs, domain.fromMs, domain.toMs),
      isPlaying: false,
      speed: clamp(speed ?? defaultSpeed(domain), minSpeed, maxSpeed),
      mode: this.#chosen.window ? "window" : "cumulative",
      windowMs: windowMs ?? defaultWindowMs(domain),
      loops: false,
      domain,
      axis: domain,
    };
  }

  /** Immutable: a new object after every change, the same one in between. */
  get state(): PlaybackState {
    return this.#state;
  }

  /** The settings that a person chose; null if all are defaults. */
  get settings(): ClockSettings | null {
    const { nowMs, domain, mode, windowMs, speed } = this.#state;
    const atMs = this.#startMs ?? (nowMs >= domain.toMs ? null : Math.round(nowMs));
    const settings: ClockSettings = [atMs, mode === "window" ? Math.round(windowMs) : null, this.#chosen.speed ? speed : null];
    return settings.some((chosen) => chosen !== null) ? settings : null;
  }

  /** The time window that is visible now. */
  window(): TimeWindow {
    const { nowMs, mode, windowMs, domain } = this.#state;
    return { fromMs: mode === "window" ? nowMs - windowMs : domain.fromMs, toMs: nowMs };
  }

  /** Calls the listener after every change; returns an unsubscribe function. Bound, for useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Plays on; restarts from the beginning if it is at the end. */
  play(): void {
    const { isPlaying, nowMs, domain } = this.#state;
    if (isPlaying || domain.toMs <= domain.fromMs) return;
    this.#startMs = null;
    this.#lastTickMs = this.#frames.now();
    this.#frame = this.#frames.request(this.#tick);
    this.#change({ isPlaying: true, nowMs: nowMs >= domain.toMs ? domain.fromMs : nowMs });
  }

  pause(): void {
    if (this.#frame !== null) this.#frames.cancel(this.#frame);
    this.#frame = null;
    if (this.#state.isPlaying) this.#change({ isPlaying: false });
  }

  seek(timeMs: number): void {
    if (!Number.isFinite(timeMs)) return;
    this.#startMs = null;
    const { domain } = this.#state;
    this.#change({ nowMs: clamp(timeMs, domain.fromMs, domain.toMs) });
  }

  /** Pauses and moves to the next or previous of these times, or to that end of the domain if there is none. */
  step(direction: 1 | -1, times: EventTimes): void {
    this.pause();
    const { nowMs, domain } = this.#state;
    this.seek(direction === 1 ? (timeAfter(times, nowMs) ?? domain.toMs) : (timeBefore(times, nowMs) ?? domain.fromMs));
  }

  setSpeed(speed: number): void {
    if (!Number.isFinite(speed)) return;
    this.#chosen.speed = true;
    this.#change({ speed: clamp(speed, minSpeed, maxSpeed) });
  }

  setMode(mode: PlaybackState["mode"], windowMs?: number): void {
    this.#chosen.window ||= windowMs !== undefined;
    this.#change({ mode, windowMs: Math.max(1, windowMs ?? this.#state.windowMs) });
  }

  setLoops(loops: boolean): void {
    this.#change({ loops });
  }

  /** Sets a new domain. The time stays where it was if possible, and at the end if it was there. */
  setDomain(domain: TimeWindow): void {
    const { nowMs, domain: previous, axis } = this.#state;
    if (domain.fromMs === previous.fromMs && domain.toMs === previous.toMs) return;
    const wasWhole = axis.fromMs === previous.fromMs && axis.toMs === previous.toMs;
    const atEnd = nowMs >= previous.toMs && !this.#state.isPlaying;
    this.#change({
      domain,
      ...(this.#chosen.speed ? {} : { speed: defaultSpeed(domain) }),
      ...(this.#chosen.window ? {} : { windowMs: defaultWindowMs(domain) }),
      axis: wasWhole ? domain : moveInto(axis, domain),
      nowMs: clamp(this.#startMs ?? (atEnd ? domain.toMs : nowMs), domain.fromMs, domain.toMs),
    });
  }

  /** Sets the part of the domain that the scrubber shows, at least a millisecond wide. */
  setAxis(axis: TimeWindow): void {
    this.#change({ axis: moveInto(axis, this.#state.domain) });
  }

  /** Zooms in (factor above 1) or out (below 1) about a time, which keeps its position. */
  zoomAxis(factor: number, aboutMs: number): void {
    const { axis, domain } = this.#state;
    const spanMs = clamp((axis.toMs - axis.fromMs) / factor, 1, Math.max(1, domain.toMs - domain.fromMs));
    const share = (aboutMs - axis.fromMs) / Math.max(1, axis.toMs - axis.fromMs);
    const fromMs = aboutMs - share * spanMs;
    this.setAxis({ fromMs, toMs: fromMs + spanMs });
  }

  /** Stops requesting frames and removes all listeners. */
  destroy(): void {
    this.#listeners.clear();
    this.pause();
  }

  readonly #tick = (): void => {
    const realMs = this.#frames.now();
    const elapsedMs = clamp(realMs - this.#lastTickMs, 0, maxFrameMs);
    this.#lastTickMs = realMs;
    const { nowMs, speed, domain, loops } = this.#state;
    const next = nowMs + elapsedMs * speed;
    if (next >= domain.toMs && !loops) {
      this.#frame = null;
      this.#change({ nowMs: domain.toMs, isPlaying: false });
      return;
    }
    this.#frame = this.#frames.request(this.#tick);
    const spanMs = domain.toMs - domain.fromMs;
    const moved = next > domain.toMs ? domain.fromMs + ((next - domain.fromMs) % spanMs) : next;
    this.#change({ nowMs: moved, axis: this.#axisWith(moved) });
  };

  /** Pages the axis when playback leaves it; a time that was already outside does not move it. */
  #axisWith(nextMs: number): TimeWindow {
    const { nowMs, axis, domain } = this.#state;
    const shows = (timeMs: number) => timeMs >= axis.fromMs && timeMs <= axis.toMs;
    return shows(nowMs) && !shows(nextMs) ? moveInto({ fromMs: nextMs, toMs: nextMs + (axis.toMs - axis.fromMs) }, domain) : axis;
  }

  #change(change: Partial<PlaybackState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const spanOf = ({ fromMs, toMs }: TimeWindow): number => Math.max(1, toMs - fromMs);
const defaultSpeed = (domain: TimeWindow): number => clamp(spanOf(domain) / 30_000, minSpeed, maxSpeed);
/** A round length of at most a twentieth of the domain. */
function defaultWindowMs(domain: TimeWindow): number {
  const maxMs = spanOf(domain) / 20;
  return roundLengthsMs.findLast((lengthMs) => lengthMs <= maxMs) ?? Math.max(1, Math.floor(maxMs));
}
const roundLengthsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 5, 10, 30, 100, 365].map((days) => days * 86_400_000),
];

/** Moves the window into the domain and keeps its width as far as possible. */
function moveInto({ fromMs, toMs }: TimeWindow, domain: TimeWindow): TimeWindow {
  const spanMs = Math.min(Math.max(1, toMs - fromMs), Math.max(1, domain.toMs - domain.fromMs));
  const start = clamp(fromMs, domain.fromMs, Math.max(domain.fromMs, domain.toMs - spanMs));
  return { fromMs: start, toMs: start + spanMs };
}
