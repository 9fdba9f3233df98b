import { describe, expect, it } from "vitest";
import { moonPhases, sunDay } from "./sun-and-moon.ts";

const minutesFrom = (ms: number | null, iso: string) => Math.abs((ms ?? Number.NaN) - Date.parse(iso)) / 60_000;

describe("the sun", () => {
  const london = { name: "London", latitude: 51.5074, longitude: -0.1278 };
  it.each([
    ["2024-06-20", "2024-06-20T03:43:00Z", "2024-06-20T20:21:00Z"],
    ["2024-12-21", "2024-12-21T08:04:00Z", "2024-12-21T15:53:00Z"],
  ])("rises and sets over London on %s, accurate to a few minutes", (date, sunrise, sunset) => {
    const day = sunDay(london, Date.parse(date));
    expect(minutesFrom(day.sunriseMs, sunrise)).toBeLessThan(4);
    expect(minutesFrom(day.sunsetMs, sunset)).toBeLessThan(4);
  });

  it("neither rises nor sets in the far north at the solstices", () => {
    const tromso = { name: "Tromsø", latitude: 69.6492, longitude: 18.9553 };
    expect(sunDay(tromso, Date.parse("2024-06-20"))).toMatchObject({ sunriseMs: null, sunsetMs: null, daylightHours: 24 });
    expect(sunDay(tromso, Date.parse("2024-12-21"))).toMatchObject({ sunriseMs: null, sunsetMs: null, daylightHours: 0 });
  });
});

describe("the moon", () => {
  it.each([
    ["new moon", "2024-04-08T18:21:00Z"],
    ["full moon", "2024-12-15T09:02:00Z"],
    ["first quarter", "2024-01-18T03:53:00Z"],
    ["last quarter", "2024-01-04T03:30:00Z"],
  ])("has its %s at %s, accurate to a quarter of an hour", (phase, at) => {
    const found = moonPhases(2024).filter((one) => one.phase === phase);
    expect(Math.min(...found.map(({ atMs }) => minutesFrom(atMs, at)))).toBeLessThan(15);
  });

  it("has each phase of a year once, in order", () => {
    for (const year of [1950, 2000, 2024, 2049]) {
      const phases = moonPhases(year);
      expect(phases.length).toBeGreaterThanOrEqual(49);
      expect(phases.length).toBeLessThanOrEqual(51);
      for (const [index, { atMs }] of phases.entries()) expect(atMs).toBeGreaterThan(phases[index - 1]?.atMs ?? -1e15);
    }
  });
});
