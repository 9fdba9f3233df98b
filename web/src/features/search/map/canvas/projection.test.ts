import { describe, expect, it } from "vitest";
import { isValidPosition, latitudeAt, longitudeAt, projectedX, projectedY, unwrapX, worldSize } from "./projection.ts";

describe("projection", () => {
  it("round-trips coordinates to a millionth of a degree", () => {
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

  it("clamps latitudes beyond the edge of the projection", () => {
    expect([projectedY(90), projectedY(-90)]).toEqual([0, worldSize]);
  });

  it("rejects invalid latitudes and longitudes", () => {
    const valid = [isValidPosition(90, 180), isValidPosition(-90, -180), isValidPosition(0, 0)];
    const invalid = [
      isValidPosition(Number.NaN, 0),
      isValidPosition(0, Number.NaN),
      isValidPosition(91, 0),
      isValidPosition(0, 181),
      isValidPosition(Infinity, 0),
    ];
    expect([valid, invalid]).toEqual([
      [true, true, true],
      [false, false, false, false, false],
    ]);
  });

  it("unwraps x to the shorter way around the world", () => {
    const [tokyo, francisco] = [projectedX(139.7), projectedX(-122.4)];
    expect(longitudeAt(unwrapX(tokyo, francisco))).toBeCloseTo(237.6, 5);
    expect(longitudeAt(unwrapX(francisco, tokyo))).toBeCloseTo(-220.3, 5);
    expect(longitudeAt(unwrapX(projectedX(0), projectedX(50)))).toBeCloseTo(50, 5);
  });
});
