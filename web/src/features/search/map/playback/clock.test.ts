import { describe, expect, it, onTestFinished, vi } from "vitest";
import { maxSpeed, type Frames, PlaybackClock, minSpeed } from "./clock.ts";

const domain = { fromMs: 1_000_000, toMs: 1_060_000 };

/** Frames that advance only on demand. */
function manualFrames() {
  let nowMs = 0;
  let pending: (() => void) | null = null;
  const frames: Frames = {
    now: () => nowMs,
    request: (callback) => {
      pending = callback;
      return 1;
    },
    cancel: () => {
      pending = null;
    },
  };
  return {
    frames,
    isRequested: () => pending !== null,
    advance: (ms: number) => {
      nowMs += ms;
      const callback = pending;
      pending = null;
      callback?.();
    },
  };
}

function playing(speed = 100) {
  const time = manualFrames();
  const clock = new PlaybackClock(domain, { frames: time.frames });
  clock.setSpeed(speed);
  clock.play();
  return { time, clock };
}

describe("playback clock", () => {
  it("starts at the end, requests no frame and shows everything", () => {
    const time = manualFrames();
    const clock = new PlaybackClock(domain, { frames: time.frames });
    expect([clock.state.nowMs, clock.state.isPlaying, time.isRequested()]).toEqual([domain.toMs, false, false]);
    expect(clock.window()).toEqual(domain);
  });

  it("plays from the start at its speed, independent of frame durations", () => {
    const { time, clock } = playing(100);
    expect(clock.state.nowMs).toBe(domain.fromMs);
    time.advance(16);
    time.advance(84);
    expect(clock.state.nowMs).toBe(domain.fromMs + 10_000);
  });

  it("moves twice a second instead of with every frame where less motion is asked for", () => {
    const requestFrame = vi.fn<(callback: FrameRequestCallback) => number>();
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", requestFrame);
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(prefers-reduced-motion: reduce)" }));
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    const clock = new PlaybackClock(domain);
    clock.setSpeed(100);
    clock.play();
    vi.advanceTimersByTime(499);
    expect(clock.state.nowMs).toBe(domain.fromMs);
    vi.advanceTimersByTime(1);
    expect(clock.state.nowMs).toBe(domain.fromMs + 50_000);
    clock.pause();
    expect(requestFrame).not.toHaveBeenCalled();
  });

  it("requests frames only while playing", () => {
    const { time, clock } = playing();
    time.advance(16);
    expect(time.isRequested()).toBe(true);
    clock.pause();
    expect([time.isRequested(), clock.state.isPlaying]).toEqual([false, false]);
    clock.play();
    clock.destroy();
    expect(time.isRequested()).toBe(false);
  });

  it("resumes where it paused, ignoring the time in between", () => {
    const { time, clock } = playing(10);
    time.advance(100);
    clock.pause();
    time.advance(60_000);
    clock.play();
    time.advance(100);
    expect(clock.state.nowMs).toBe(domain.fromMs + 2_000);
  });

  it("advances by at most a second after the tab was hidden", () => {
    const { time, clock } = playing(10);
    time.advance(3_600_000);
    expect(clock.state.nowMs).toBe(domain.fromMs + 10_000);
  });

  it("stops at the end and restarts from the beginning", () => {
    const { time, clock } = playing(maxSpeed);
    time.advance(16);
    expect([clock.state.nowMs, clock.state.isPlaying, time.isRequested()]).toEqual([domain.toMs, false, false]);
    clock.play();
    expect(clock.state.nowMs).toBe(domain.fromMs);
  });

  it("loops if enabled, carrying over the time beyond the end", () => {
    const { time, clock } = playing(500);
    clock.setLoops(true);
    time.advance(100);
    time.advance(100);
    expect([clock.state.nowMs, clock.state.isPlaying]).toEqual([domain.fromMs + 40_000, true]);
  });

  it("plays any range in half a minute unless a speed was chosen, and clamps speeds between 0.01 and 1,000,000,000", () => {
    const clock = new PlaybackClock(domain, { frames: manualFrames().frames });
    const speedAfter = (speed: number) => {
      clock.setSpeed(speed);
      return clock.state.speed;
    };
    const years = 175 * 365 * 86_400_000;
    expect(new PlaybackClock({ fromMs: -years, toMs: 0 }, { frames: manualFrames().frames }).state.speed).toBe(years / 30_000);
    expect([0, 0.25, 1e12, Number.NaN].map(speedAfter)).toEqual([minSpeed, 0.25, maxSpeed, maxSpeed]);
  });

  it("shows a moving window or everything up to now", () => {
    const { time, clock } = playing(100);
    clock.setMode("window", 4_000);
    time.advance(100);
    expect(clock.window()).toEqual({ fromMs: domain.fromMs + 6_000, toMs: domain.fromMs + 10_000 });
    clock.setMode("cumulative");
    expect(clock.window()).toEqual({ fromMs: domain.fromMs, toMs: domain.fromMs + 10_000 });
  });

  it("clamps seeks to the domain and keeps playing", () => {
    const { time, clock } = playing(100);
    clock.seek(domain.fromMs + 30_000);
    time.advance(10);
    expect(clock.state.nowMs).toBe(domain.fromMs + 31_000);
    clock.seek(0);
    expect(clock.state.nowMs).toBe(domain.fromMs);
    clock.seek(Number.NaN);
    expect(clock.state.nowMs).toBe(domain.fromMs);
  });

  it("steps between events in both directions and pauses", () => {
    const { time, clock } = playing(1);
    const times = [Float64Array.of(1_000_000, 1_010_000, 1_050_000), Float64Array.of(1_010_000)];
    const stepped = (direction: 1 | -1) => {
      clock.step(direction, times);
      return clock.state.nowMs;
    };
    expect([stepped(1), stepped(1), stepped(1), stepped(-1), stepped(-1), stepped(-1), stepped(-1)]).toEqual([
      1_010_000, 1_050_000, 1_060_000, 1_050_000, 1_010_000, 1_000_000, 1_000_000,
    ]);
    expect(time.isRequested()).toBe(false);
  });

  it("plays the whole domain in thirty seconds by default", () => {
    const clock = new PlaybackClock({ fromMs: 0, toMs: 30_000_000 });
    clock.setDomain({ fromMs: 0, toMs: 60_000_000 });
    expect(clock.state).toMatchObject({ speed: 2_000, windowMs: 1_800_000 });
    clock.setSpeed(5);
    clock.setMode("window", 7);
    clock.setDomain({ fromMs: 0, toMs: 90_000_000 });
    expect(clock.state).toMatchObject({ speed: 5, windowMs: 7 });
  });

  it("zooms the axis about a fixed time, within the domain", () => {
    const clock = new PlaybackClock(domain, { frames: manualFrames().frames });
    clock.zoomAxis(4, 1_020_000);
    expect(clock.state.axis).toEqual({ fromMs: 1_015_000, toMs: 1_030_000 });
    clock.zoomAxis(0.5, 1_015_000);
    expect(clock.state.axis).toEqual({ fromMs: 1_015_000, toMs: 1_045_000 });
    clock.zoomAxis(0.001, 1_020_000);
    expect(clock.state.axis).toEqual(domain);
    clock.setAxis({ fromMs: 1_050_000, toMs: 1_070_000 });
    expect(clock.state.axis).toEqual({ fromMs: 1_040_000, toMs: 1_060_000 });
  });

  it("pages the axis when playback leaves it, but not for a time that was already outside", () => {
    const { time, clock } = playing(100);
    clock.setAxis({ fromMs: 1_000_000, toMs: 1_010_000 });
    time.advance(110);
    expect([clock.state.nowMs, clock.state.axis]).toEqual([1_011_000, { fromMs: 1_011_000, toMs: 1_021_000 }]);
    clock.setAxis({ fromMs: 1_040_000, toMs: 1_050_000 });
    time.advance(10);
    expect(clock.state.axis).toEqual({ fromMs: 1_040_000, toMs: 1_050_000 });
  });

  it("follows a growing domain: stays at the end if it was there, keeps its time otherwise", () => {
    const clock = new PlaybackClock(domain, { frames: manualFrames().frames });
    clock.setDomain({ fromMs: 900_000, toMs: 2_000_000 });
    expect([clock.state.nowMs, clock.state.axis]).toEqual([2_000_000, { fromMs: 900_000, toMs: 2_000_000 }]);
    clock.seek(1_000_000);
    clock.setAxis({ fromMs: 950_000, toMs: 1_100_000 });
    clock.setDomain({ fromMs: 900_000, toMs: 3_000_000 });
    expect([clock.state.nowMs, clock.state.axis]).toEqual([1_000_000, { fromMs: 950_000, toMs: 1_100_000 }]);
  });

  it("exposes the chosen settings and restores them, even before the data for them is loaded", () => {
    const clock = new PlaybackClock(domain, { frames: manualFrames().frames });
    expect(clock.settings).toBeNull();
    clock.seek(1_000_000.4);
    clock.setSpeed(600);
    clock.setMode("window", 45_000);
    expect(clock.settings).toEqual([1_000_000, 45_000, 600]);
    clock.setMode("cumulative");
    clock.seek(1_060_000);
    expect(clock.settings).toEqual([null, null, 600]);

    const settings = [950_000, 45_000, 600] as const;
    const again = new PlaybackClock(domain, { frames: manualFrames().frames, settings });
    expect(again.state).toMatchObject({ nowMs: 1_000_000, mode: "window", windowMs: 45_000, speed: 600 });
    expect(again.settings).toEqual(settings);
    again.setDomain({ fromMs: 900_000, toMs: 1_060_000 });
    expect(again.state).toMatchObject({ nowMs: 950_000, windowMs: 45_000, speed: 600 });
    again.seek(940_000);
    again.setDomain({ fromMs: 800_000, toMs: 1_060_000 });
    expect(again.state.nowMs).toBe(940_000);
  });

  it("does not play an empty domain", () => {
    const time = manualFrames();
    const clock = new PlaybackClock({ fromMs: 5, toMs: 5 }, { frames: time.frames });
    clock.play();
    expect([clock.state.isPlaying, time.isRequested()]).toEqual([false, false]);
  });

  it("notifies listeners once per frame with a new state until they unsubscribe", () => {
    const { time, clock } = playing();
    const listener = vi.fn<() => void>();
    const unsubscribe = clock.subscribe(listener);
    const before = clock.state;
    time.advance(16);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(clock.state).not.toBe(before);
    unsubscribe();
    time.advance(16);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
