import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import type { ClockPlace } from "#features/search/map/model/map-place.ts";
import { type EventTimes, timeAfter, timeBefore } from "./event-times.ts";

export const slowestSpeed = 0.01;
export const fastestSpeed = 100_000;

export interface PlaybackState {
  /** The time of the data, in epoch milliseconds, always within the domain. */
  readonly nowMs: number;
  readonly isPlaying: boolean;
  /** Milliseconds of the data in one of the clock on the wall. */
  readonly speed: number;
  /** `cumulative` shows everything up to now, `window` the last `windowMs` before it. */
  readonly mode: "cumulative" | "window";
  readonly windowMs: number;
  /** Begins again where it ends, instead of stopping there. */
  readonly loops: boolean;
  /** From the first to the last time of the data. */
  readonly domain: TimeWindow;
  /** The part of the domain that the scrubber shows. */
  readonly axis: TimeWindow;
}

/** What the browser does: replaced by tests. */
export interface Frames {
  now(): number;
  request(callback: () => void): number;
  cancel(handle: number): void;
}

/** Who asked for less motion sees time move twice a second instead of smoothly. */
const calmFrameMs = 500;

const browserFrames: Frames = {
  now: () => performance.now(),
  request: (callback) =>
    matchMedia("(prefers-reduced-motion: reduce)").matches ? -setTimeout(callback, calmFrameMs) : requestAnimationFrame(() => callback()),
  cancel: (handle) => (handle < 0 ? clearTimeout(-handle) : cancelAnimationFrame(handle)),
};

const clamp = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));

/** A tab that was hidden, or a frame that took long, moves the data no further than this much of the wall's time. */
const longestFrameMs = 1_000;

/**
 * The one clock of a playback. It asks for frames only while it plays; each tells the listeners once, who read `state`
 * or `window()` then. Let the map listen directly: nothing of React need run per frame. `<Scrubber clock times zone />`
 * of `scrubber.tsx` shows it: `times` all times of events, `zone` from `useResultZone()`.
 */
export class PlaybackClock {
  #state: PlaybackState;
  readonly #frames: Frames;
  readonly #listeners = new Set<() => void>();
  #frame: number | null = null;
  #lastTickMs = 0;
  /** Whether somebody chose them; else they follow the domain. */
  readonly #chosen: { speed: boolean; window: boolean };
  /** Where it was told to begin; the domain may reach there only once more is loaded. Null as soon as somebody moves it. */
  #beginMs: number | null;

  /** Stands at the end, where everything is shown, and plays through the domain in 30 seconds, unless told otherwise. */
  constructor(domain: TimeWindow, { place = null, frames = browserFrames }: { place?: ClockPlace | null; frames?: Frames } = {}) {
    this.#frames = frames;
    const [atMs, windowMs, speed] = place ?? [null, null, null];
    this.#beginMs = atMs;
    this.#chosen = { speed: speed !== null, window: windowMs !== null };
    this.#state = {
      nowMs: clamp(atMs ?? domain.toMs, domain.fromMs, domain.toMs),
      isPlaying: false,
      speed: clamp(speed ?? usualSpeed(domain), slowestSpeed, fastestSpeed),
      mode: this.#chosen.window ? "window" : "cumulative",
      windowMs: windowMs ?? usualWindowMs(domain),
      loops: false,
      domain,
      axis: domain,
    };
  }

  /** A new object with every change, the same one between them. */
  get state(): PlaybackState {
    return this.#state;
  }

  /** What was chosen of it; null where it stands as it begins. */
  get place(): ClockPlace | null {
    const { nowMs, domain, mode, windowMs, speed } = this.#state;
    const atMs = this.#beginMs ?? (nowMs >= domain.toMs ? null : Math.round(nowMs));
    const place: ClockPlace = [atMs, mode === "window" ? Math.round(windowMs) : null, this.#chosen.speed ? speed : null];
    return place.some((chosen) => chosen !== null) ? place : null;
  }

  /** What is to be seen now. */
  window(): TimeWindow {
    const { nowMs, mode, windowMs, domain } = this.#state;
    return { fromMs: mode === "window" ? nowMs - windowMs : domain.fromMs, toMs: nowMs };
  }

  /** Called after every change. Answers the way to stop. Bound, for useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** From the beginning, where it stands at the end. */
  play(): void {
    const { isPlaying, nowMs, domain } = this.#state;
    if (isPlaying || domain.toMs <= domain.fromMs) return;
    this.#beginMs = null;
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
    this.#beginMs = null;
    const { domain } = this.#state;
    this.#change({ nowMs: clamp(timeMs, domain.fromMs, domain.toMs) });
  }

  /** To the next of these times, or the one before; playback pauses. Beyond the last: to the end of the domain. */
  step(direction: 1 | -1, times: EventTimes): void {
    this.pause();
    const { nowMs, domain } = this.#state;
    this.seek(direction === 1 ? (timeAfter(times, nowMs) ?? domain.toMs) : (timeBefore(times, nowMs) ?? domain.fromMs));
  }

  setSpeed(speed: number): void {
    if (!Number.isFinite(speed)) return;
    this.#chosen.speed = true;
    this.#change({ speed: clamp(speed, slowestSpeed, fastestSpeed) });
  }

  setMode(mode: PlaybackState["mode"], windowMs?: number): void {
    this.#chosen.window ||= windowMs !== undefined;
    this.#change({ mode, windowMs: Math.max(1, windowMs ?? this.#state.windowMs) });
  }

  setLoops(loops: boolean): void {
    this.#change({ loops });
  }

  /** Other data: now stays where it was if that is still within, and at the end if it stood there. */
  setDomain(domain: TimeWindow): void {
    const { nowMs, domain: before, axis } = this.#state;
    if (domain.fromMs === before.fromMs && domain.toMs === before.toMs) return;
    const wasWhole = axis.fromMs === before.fromMs && axis.toMs === before.toMs;
    const atEnd = nowMs >= before.toMs && !this.#state.isPlaying;
    this.#change({
      domain,
      ...(this.#chosen.speed ? {} : { speed: usualSpeed(domain) }),
      ...(this.#chosen.window ? {} : { windowMs: usualWindowMs(domain) }),
      axis: wasWhole ? domain : within(axis, domain),
      nowMs: clamp(this.#beginMs ?? (atEnd ? domain.toMs : nowMs), domain.fromMs, domain.toMs),
    });
  }

  /** Shows this part of the domain in the scrubber, at least a millisecond wide. */
  setAxis(axis: TimeWindow): void {
    this.#change({ axis: within(axis, this.#state.domain) });
  }

  /** Closer (factor over 1) or wider (below 1) about a time, which keeps its place. */
  zoomAxis(factor: number, aboutMs: number): void {
    const { axis, domain } = this.#state;
    const spanMs = clamp((axis.toMs - axis.fromMs) / factor, 1, Math.max(1, domain.toMs - domain.fromMs));
    const share = (aboutMs - axis.fromMs) / Math.max(1, axis.toMs - axis.fromMs);
    const fromMs = aboutMs - share * spanMs;
    this.setAxis({ fromMs, toMs: fromMs + spanMs });
  }

  /** No frame is asked for any more, nobody is told any more. */
  destroy(): void {
    this.#listeners.clear();
    this.pause();
  }

  readonly #tick = (): void => {
    const wallMs = this.#frames.now();
    const passedMs = clamp(wallMs - this.#lastTickMs, 0, longestFrameMs);
    this.#lastTickMs = wallMs;
    const { nowMs, speed, domain, loops } = this.#state;
    const next = nowMs + passedMs * speed;
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

  /** Playing out of what the scrubber shows turns it like a page; what was out of it already stays so. */
  #axisWith(nextMs: number): TimeWindow {
    const { nowMs, axis, domain } = this.#state;
    const shows = (timeMs: number) => timeMs >= axis.fromMs && timeMs <= axis.toMs;
    return shows(nowMs) && !shows(nextMs) ? within({ fromMs: nextMs, toMs: nextMs + (axis.toMs - axis.fromMs) }, domain) : axis;
  }

  #change(change: Partial<PlaybackState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const spanOf = ({ fromMs, toMs }: TimeWindow): number => Math.max(1, toMs - fromMs);
const usualSpeed = (domain: TimeWindow): number => clamp(spanOf(domain) / 30_000, slowestSpeed, fastestSpeed);
/** A length that people say: at most a twentieth of the domain. */
function usualWindowMs(domain: TimeWindow): number {
  const most = spanOf(domain) / 20;
  return saidLengthsMs.findLast((lengthMs) => lengthMs <= most) ?? Math.max(1, Math.floor(most));
}
const saidLengthsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 5, 10, 30, 100, 365].map((days) => days * 86_400_000),
];

/** Moved into the domain with its width, as far as that fits. */
function within({ fromMs, toMs }: TimeWindow, domain: TimeWindow): TimeWindow {
  const spanMs = Math.min(Math.max(1, toMs - fromMs), Math.max(1, domain.toMs - domain.fromMs));
  const start = clamp(fromMs, domain.fromMs, Math.max(domain.fromMs, domain.toMs - spanMs));
  return { fromMs: start, toMs: start + spanMs };
}
