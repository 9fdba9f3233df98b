import { describe, expect, it } from "vitest";
import { type Point, type Ring, parseRing, ringText, splitAtAntimeridian } from "./areas.ts";

const ring = (...points: [number, number][]): Ring => points.map(([lng, lat]) => ({ lat, lng }));

describe("the text of a shape", () => {
  it("is 'lng lat' pairs, closed, and reads back as it was", () => {
    const triangle = ring([-80, 20], [-70.5, 20], [-75, 30.25]);
    expect(ringText(triangle)).toBe("-80 20, -70.5 20, -75 30.25, -80 20");
    expect(parseRing(ringText(triangle))).toEqual({ ring: triangle });
  });

  it("may be open, spaced as it likes, and repeat corners", () => {
    expect(parseRing(" -80  20,-80 20 ,-70.5 20 ,\n-75 3e1")).toEqual({ ring: ring([-80, 20], [-70.5, 20], [-75, 30]) });
  });

  it("may reach the poles and the antimeridian", () => {
    const world = ring([-180, -90], [180, -90], [180, 90], [-180, 90]);
    expect(parseRing(ringText(world))).toEqual({ ring: world });
  });

  it.each([
    ["", "has no 'longitude latitude' at its corner 1"],
    ["1 2, 3", "has no 'longitude latitude' at its corner 2"],
    ["1 2, 3 4 5, 6 7", "has no 'longitude latitude' at its corner 2"],
    ["1 2, 0x10 4, 6 7", "has no 'longitude latitude' at its corner 2"],
    ["1 2, NaN 4, 6 7", "has no 'longitude latitude' at its corner 2"],
    ["1 2, Infinity 4, 6 7", "has no 'longitude latitude' at its corner 2"],
    ["1 2, 1e999 4, 6 7", "has a longitude outside -180 to 180 at its corner 2"],
    ["1 2, 180.1 4, 6 7", "has a longitude outside -180 to 180 at its corner 2"],
    ["1 2, 3 -90.5, 6 7", "has a latitude outside -90 to 90 at its corner 2"],
    ["1 2, 3 4, 1 2", "needs at least three different corners"],
    ["0 0, 10 10, 10 0, 0 10", "crosses itself"],
  ])("%j is refused", (text, problem) => {
    expect(parseRing(text)).toEqual({ problem });
  });
});

describe("a text of any length is refused quickly", () => {
  const digits = "1".repeat(200_000);

  it.each([
    ["digits without end", `${digits}x 1`],
    ["digits behind the point", `1.${digits}x 1`],
    ["spaces", `1${" ".repeat(200_000)}x`],
    ["spaces between coordinates", `1 ${"1 ".repeat(100_000)}`],
    ["a coordinate of 41 characters", `${"0".repeat(40)}1 1`],
  ])("%s", (_title, corner) => {
    expect(parseRing(`${corner}, 2 2, 3 3`)).toEqual({ problem: "has no 'longitude latitude' at its corner 1" });
  });

  it("corners beyond the limit, before any of them is read", () => {
    expect(parseRing("x,".repeat(10_001))).toEqual({ problem: "has more than 10000 corners" });
  });
});

const area = (points: Ring): number =>
  Math.abs(points.reduce((sum, { lat, lng }, index) => sum + lng * next(points, index).lat - next(points, index).lng * lat, 0)) / 2;
const next = (points: Ring, index: number): Point => points[(index + 1) % points.length] as Point;

describe("a shape over the antimeridian", () => {
  it("that stays on one side is left as it is", () => {
    const shape = ring([170, 0], [180, 0], [180, 10]);
    expect(splitAtAntimeridian(shape)).toEqual([shape]);
  });

  it("becomes one shape on either side", () => {
    expect(splitAtAntimeridian(ring([170, 0], [190, 0], [190, 10], [170, 10]))).toEqual(
      [
        ring([180, 0], [180, 10], [170, 10], [170, 0]).map((point) => expect.objectContaining(point)),
        ring([-180, 0], [-170, 0], [-170, 10], [-180, 10]).map((point) => expect.objectContaining(point)),
      ].map((part) => expect.arrayContaining(part)),
    );
    expect(splitAtAntimeridian(ring([-190, 0], [-170, 0], [-170, 10], [-190, 10])).map(area)).toEqual([100, 100]);
  });

  it.each<[string, Ring, number]>([
    ["a comb with its teeth over it", ring([170, 0], [190, 1], [175, 2], [190, 3], [175, 4], [190, 5], [170, 6]), 4],
    ["a corner that touches it from the east", ring([170, 0], [190, 0], [180, 5], [190, 10], [170, 10]), 3],
    ["a corner that touches it from the west", ring([170, 0], [190, 0], [190, 10], [170, 10], [180, 5]), 3],
    ["an edge along it", ring([170, 0], [180, 0], [180, 5], [190, 5], [190, 10], [170, 10]), 2],
    ["round the world and more", ring([-170, 0], [200, 0], [200, 10], [-170, 10]), 2],
  ])("%s: nothing is lost, nothing lies outside, no part crosses itself", (_title, shape, count) => {
    for (const asDrawn of [shape, shape.toReversed(), shape.map(({ lat, lng }) => ({ lat, lng: -lng }))]) {
      const parts = splitAtAntimeridian(asDrawn);
      expect(parts.length).toBeGreaterThanOrEqual(2);
      expect(parts.length).toBeLessThanOrEqual(count);
      expect(parts.flat().every(({ lng }) => Math.abs(lng) <= 180)).toBe(true);
      expect(parts.reduce((sum, part) => sum + area(part), 0)).toBeCloseTo(area(asDrawn), 9);
    }
  });
});
