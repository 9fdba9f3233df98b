import { describe, expect, it } from "vitest";
import { splitAtAntimeridian } from "./antimeridian.ts";
import { type Point, type Ring, parseRing, ringText } from "./areas.ts";

const ring = (...points: [number, number][]): Ring => points.map(([lng, lat]) => ({ lat, lng }));

describe("the text of a shape", () => {
  it("consists of closed 'lng lat' pairs and survives a round trip", () => {
    const triangle = ring([-80, 20], [-70.5, 20], [-75, 30.25]);
    expect(ringText(triangle)).toBe("-80 20, -70.5 20, -75 30.25, -80 20");
    expect(parseRing(ringText(triangle))).toEqual({ ring: triangle });
  });

  it("may be open, with any spacing and repeated corners", () => {
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

describe("a long text is refused quickly", () => {
  const digits = "1".repeat(200_000);

  it.each([
    ["too many digits", `${digits}x 1`],
    ["too many digits after the decimal point", `1.${digits}x 1`],
    ["spaces", `1${" ".repeat(200_000)}x`],
    ["spaces between coordinates", `1 ${"1 ".repeat(100_000)}`],
    ["a coordinate of 41 characters", `${"0".repeat(40)}1 1`],
  ])("%s", (_title, corner) => {
    expect(parseRing(`${corner}, 2 2, 3 3`)).toEqual({ problem: "has no 'longitude latitude' at its corner 1" });
  });

  it("too many corners, before any of them is parsed", () => {
    expect(parseRing("x,".repeat(10_001))).toEqual({ problem: "has more than 10000 corners" });
  });
});

const area = (points: Ring): number =>
  Math.abs(points.reduce((sum, { lat, lng }, index) => sum + lng * next(points, index).lat - next(points, index).lng * lat, 0)) / 2;
const next = (points: Ring, index: number): Point => points[(index + 1) % points.length] as Point;

describe("splitting a shape at the antimeridian", () => {
  it("leaves a shape on one side unchanged", () => {
    const shape = ring([170, 0], [180, 0], [180, 10]);
    expect(splitAtAntimeridian(shape)).toEqual([shape]);
  });

  it("returns one shape on either side", () => {
    expect(splitAtAntimeridian(ring([170, 0], [190, 0], [190, 10], [170, 10]))).toEqual(
      [
        ring([180, 0], [180, 10], [170, 10], [170, 0]).map((point) => expect.objectContaining(point)),
        ring([-180, 0], [-170, 0], [-170, 10], [-180, 10]).map((point) => expect.objectContaining(point)),
      ].map((part) => expect.arrayContaining(part)),
    );
    expect(splitAtAntimeridian(ring([-190, 0], [-170, 0], [-170, 10], [-190, 10])).map(area)).toEqual([100, 100]);
  });

  it.each<[string, Ring, number]>([
    ["a comb with its teeth across it", ring([170, 0], [190, 1], [175, 2], [190, 3], [175, 4], [190, 5], [170, 6]), 4],
    ["a corner that touches it from the east", ring([170, 0], [190, 0], [180, 5], [190, 10], [170, 10]), 3],
    ["a corner that touches it from the west", ring([170, 0], [190, 0], [190, 10], [170, 10], [180, 5]), 3],
    ["an edge along it", ring([170, 0], [180, 0], [180, 5], [190, 5], [190, 10], [170, 10]), 2],
    ["more than once around the world", ring([-170, 0], [200, 0], [200, 10], [-170, 10]), 2],
  ])("%s: preserves the area within bounds, without self-crossing parts", (_title, shape, count) => {
    for (const asDrawn of [shape, shape.toReversed(), shape.map(({ lat, lng }) => ({ lat, lng: -lng }))]) {
      const parts = splitAtAntimeridian(asDrawn);
      expect(parts.length).toBeGreaterThanOrEqual(2);
      expect(parts.length).toBeLessThanOrEqual(count);
      expect(parts.flat().every(({ lng }) => Math.abs(lng) <= 180)).toBe(true);
      expect(parts.reduce((sum, part) => sum + area(part), 0)).toBeCloseTo(area(asDrawn), 9);
    }
  });
});
