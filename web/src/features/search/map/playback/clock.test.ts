import { describe, expect, it, vi } from "vitest";
import { fastestSpeed, type Frames, PlaybackClock, slowestSpeed } from "./clock.ts";

const domain = { fromMs: 1_000_000, toMs: 1_060_000 };

/** Frames that come when told. */
function wall() {
  let nowMs = 0;
  let waiting: (() => void) | null = null;
  const frames: Frames = {
    now: () => nowMs,
    request: (callback) => {
      waiting = callback;
      return 1;
    },
    cancel: () => {
      waiting = null;
    },
  };
  return {
    frames,
    asked: () => waiting !== null,
    pass: (ms: number) => {
      nowMs += ms;
      const callback = waiting;
      waiting = null;
      callback?.();
    },
  };
}

function playing(speed = 100) {
  const time = wall();
  const clock = new PlaybackClock(domain, { frames: time.frames });
  clock.setSpeed(speed);
  clock.play();
  return { time, clock };
}

describe("the clock of playback", () => {
  it("stands at the end, asks for no frame, and shows everything", () => {
    const time = wall();
    const clock = new PlaybackClock(domain, { frames: time.frames });
    expect([clock.state.nowMs, clock.state.isPlaying, time.asked()]).toEqual([domain.toMs, false, false]);
    expect(clock.window()).toEqual(domain);
  });

  it("plays from the beginning at its speed, whatever the frames' lengths", () => {
    const { time, clock } = playing(100);
    expect(clock.state.nowMs).toBe(domain.fromMs);
    time.pass(16);
    time.pass(84);
    expect(clock.state.nowMs).toBe(domain.fromMs + 10_000);
  });

  it("asks for frames only while it plays", () => {
    const { time, clock } = playing();
    time.pass(16);
    expect(time.asked()).toBe(true);
    clock.pause();
    expect([time.asked(), clock.state.isPlaying]).toEqual([false, false]);
    clock.play();
    clock.destroy();
    expect(time.asked()).toBe(false);
  });

  it("goes on where it paused, and not by the time between", () => {
    const { time, clock } = playing(10);
    time.pass(100);
    clock.pause();
    time.pass(60_000);
    clock.play();
    time.pass(100);
    expect(clock.state.nowMs).toBe(domain.fromMs + 2_000);
  });

  it("jumps no further than a second after a tab was hidden", () => {
    const { time, clock } = playing(10);
    time.pass(3_600_000);
    expect(clock.state.nowMs).toBe(domain.fromMs + 10_000);
  });

  it("stops at the end, and begins again from there", () => {
    const { time, clock } = playing(fastestSpeed);
    time.pass(16);
    expect([clock.state.nowMs, clock.state.isPlaying, time.asked()]).toEqual([domain.toMs, false, false]);
    clock.play();
    expect(clock.state.nowMs).toBe(domain.fromMs);
  });

  it("loops where asked to, and loses nothing of the time beyond the end", () => {
    const { time, clock } = playing(500);
    clock.setLoops(true);
    time.pass(100);
    time.pass(100);
    expect([clock.state.nowMs, clock.state.isPlaying]).toEqual([domain.fromMs + 40_000, true]);
  });

  it("has speeds from a hundredth to a hundred thousand", () => {
    const clock = new PlaybackClock(domain, { frames: wall().frames });
    const speedAfter = (speed: number) => {
      clock.setSpeed(speed);
      return clock.state.speed;
    };
    expect([0, 0.25, 1e9, Number.NaN].map(speedAfter)).toEqual([slowestSpeed, 0.25, fastestSpeed, fastestSpeed]);
  });

  it("shows a moving window, or everything up to now", () => {
    const { time, clock } = playing(100);
    clock.setMode("window", 4_000);
    time.pass(100);
    expect(clock.window()).toEqual({ fromMs: domain.fromMs + 6_000, toMs: domain.fromMs + 10_000 });
    clock.setMode("cumulative");
    expect(clock.window()).toEqual({ fromMs: domain.fromMs, toMs: domain.fromMs + 10_000 });
  });

  it("seeks within the domain, and keeps playing", () => {
    const { time, clock } = playing(100);
    clock.seek(domain.fromMs + 30_000);
    time.pass(10);
    expect(clock.state.nowMs).toBe(domain.fromMs + 31_000);
    clock.seek(0);
    expect(clock.state.nowMs).toBe(domain.fromMs);
    clock.seek(Number.NaN);
    expect(clock.state.nowMs).toBe(domain.fromMs);
  });

  it("steps from event to event, forwards and back, and pauses", () => {
    const { time, clock } = playing(1);
    const times = [Float64Array.of(1_000_000, 1_010_000, 1_050_000), Float64Array.of(1_010_000)];
    const stepped = (direction: 1 | -1) => {
      clock.step(direction, times);
      return clock.state.nowMs;
    };
    expect([stepped(1), stepped(1), stepped(1), stepped(-1), stepped(-1), stepped(-1), stepped(-1)]).toEqual([
      1_010_000, 1_050_000, 1_060_000, 1_050_000, 1_010_000, 1_000_000, 1_000_000,
    ]);
    expect(time.asked()).toBe(false);
  });

  it("plays whatever it has in thirty seconds until told otherwise", () => {
    const clock = new PlaybackClock({ fromMs: 0, toMs: 30_000_000 });
    clock.setDomain({ fromMs: 0, toMs: 60_000_000 });
    expect(clock.state).toMatchObject({ speed: 2_000, windowMs: 1_800_000 });
    clock.setSpeed(5);
    clock.setMode("window", 7);
    clock.setDomain({ fromMs: 0, toMs: 90_000_000 });
    expect(clock.state).toMatchObject({ speed: 5, windowMs: 7 });
  });

  it("zooms the axis about a time that keeps its place, within the domain", () => {
    const clock = new PlaybackClock(domain, { frames: wall().frames });
    clock.zoomAxis(4, 1_020_000);
    expect(clock.state.axis).toEqual({ fromMs: 1_015_000, toMs: 1_030_000 });
    clock.zoomAxis(0.5, 1_015_000);
    expect(clock.state.axis).toEqual({ fromMs: 1_015_000, toMs: 1_045_000 });
    clock.zoomAxis(0.001, 1_020_000);
    expect(clock.state.axis).toEqual(domain);
    clock.setAxis({ fromMs: 1_050_000, toMs: 1_070_000 });
    expect(clock.state.axis).toEqual({ fromMs: 1_040_000, toMs: 1_060_000 });
  });

  it("turns the axis like a page where playing leaves it, and not for a time that was outside before", () => {
    const { time, clock } = playing(100);
    clock.setAxis({ fromMs: 1_000_000, toMs: 1_010_000 });
    time.pass(110);
    expect([clock.state.nowMs, clock.state.axis]).toEqual([1_011_000, { fromMs: 1_011_000, toMs: 1_021_000 }]);
    clock.setAxis({ fromMs: 1_040_000, toMs: 1_050_000 });
    time.pass(10);
    expect(clock.state.axis).toEqual({ fromMs: 1_040_000, toMs: 1_050_000 });
  });

  it("follows a domain that grows: at the end it stays at the end, elsewhere where it was", () => {
    const clock = new PlaybackClock(domain, { frames: wall().frames });
    clock.setDomain({ fromMs: 900_000, toMs: 2_000_000 });
    expect([clock.state.nowMs, clock.state.axis]).toEqual([2_000_000, { fromMs: 900_000, toMs: 2_000_000 }]);
    clock.seek(1_000_000);
    clock.setAxis({ fromMs: 950_000, toMs: 1_100_000 });
    clock.setDomain({ fromMs: 900_000, toMs: 3_000_000 });
    expect([clock.state.nowMs, clock.state.axis]).toEqual([1_000_000, { fromMs: 950_000, toMs: 1_100_000 }]);
  });

  it("says what was chosen of it, and begins there again, also where that is known only once more is loaded", () => {
    const clock = new PlaybackClock(domain, { frames: wall().frames });
    expect(clock.place).toBeNull();
    clock.seek(1_000_000.4);
    clock.setSpeed(600);
    clock.setMode("window", 45_000);
    expect(clock.place).toEqual([1_000_000, 45_000, 600]);
    clock.setMode("cumulative");
    clock.seek(1_060_000);
    expect(clock.place).toEqual([null, null, 600]);

    const place = [950_000, 45_000, 600] as const;
    const again = new PlaybackClock(domain, { frames: wall().frames, place });
    expect(again.state).toMatchObject({ nowMs: 1_000_000, mode: "window", windowMs: 45_000, speed: 600 });
    expect(again.place).toEqual(place);
    again.setDomain({ fromMs: 900_000, toMs: 1_060_000 });
    expect(again.state).toMatchObject({ nowMs: 950_000, windowMs: 45_000, speed: 600 });
    again.seek(940_000);
    again.setDomain({ fromMs: 800_000, toMs: 1_060_000 });
    expect(again.state.nowMs).toBe(940_000);
  });

  it("does not play what has no length", () => {
    const time = wall();
    const clock = new PlaybackClock({ fromMs: 5, toMs: 5 }, { frames: time.frames });
    clock.play();
    expect([clock.state.isPlaying, time.asked()]).toEqual([false, false]);
  });

  it("tells its listeners once a frame, with a new state each time, until they leave", () => {
    const { time, clock } = playing();
    const listener = vi.fn<() => void>();
    const leave = clock.subscribe(listener);
    const before = clock.state;
    time.pass(16);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(clock.state).not.toBe(before);
    leave();
    time.pass(16);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
