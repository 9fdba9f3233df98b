import { describe, expect, it } from "vitest";
import { isPlace, latitudeAt, longitudeAt, projectedX, projectedY, shorterWay, worldSize } from "./projection.ts";

describe("places on the map", () => {
  it("come back as they were, to a millionth of a degree", () => {
    for (const [latitude, longitude] of [
      [52.3702, 4.8952],
      [-36.8485, 174.7633],
      [0, -180],
      [84.9, 180],
    ] as const) {
      expect(latitudeAt(projectedY(latitude))).toBeCloseTo(latitude, 5);
      expect(longitudeAt(projectedX(longitude))).toBeCloseTo(longitude, 5);
    }
  });

  it("beyond the edge of the projection stand at it", () => {
    expect([projectedY(90), projectedY(-90)]).toEqual([0, worldSize]);
  });

  it("are no places where latitude or longitude is none", () => {
    const valid = [isPlace(90, 180), isPlace(-90, -180), isPlace(0, 0)];
    const invalid = [isPlace(Number.NaN, 0), isPlace(0, Number.NaN), isPlace(91, 0), isPlace(0, 181), isPlace(Infinity, 0)];
    expect([valid, invalid]).toEqual([
      [true, true, true],
      [false, false, false, false, false],
    ]);
  });

  it("follow each other by the shorter way round the world", () => {
    const [tokyo, francisco] = [projectedX(139.7), projectedX(-122.4)];
    expect(longitudeAt(shorterWay(tokyo, francisco))).toBeCloseTo(237.6, 5);
    expect(longitudeAt(shorterWay(francisco, tokyo))).toBeCloseTo(-220.3, 5);
    expect(longitudeAt(shorterWay(projectedX(0), projectedX(50)))).toBeCloseTo(50, 5);
  });
});
