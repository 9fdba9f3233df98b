import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Ring, crossesByPairs, crossesBySweep, crossesItself } from "./crossing.ts";

const ring = (points: readonly (readonly [number, number])[]): Ring => points.map(([lng, lat]) => ({ lat, lng }));
const small = fc.integer({ min: -8, max: 8 });
const scattered = fc.array(fc.tuple(small, small), { minLength: 4, maxLength: 12 }).map(ring);

/** Corners around a center, which cross nothing unless some are swapped. */
const radial = fc
  .record({
    radii: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 120 }),
    moves: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 }),
    digits: fc.constantFrom(0, 1, 9),
  })
  .map(({ radii, moves, digits }) => {
    const points = radii.map((radius, index): [number, number] => {
      const angle = (2 * Math.PI * index) / radii.length;
      return [Number((radius * Math.cos(angle)).toFixed(digits)), Number((radius * Math.sin(angle)).toFixed(digits))];
    });
    for (const [from, to] of moves) points.splice(to % points.length, 0, ...points.splice(from % points.length, 1));
    return ring(points);
  });

/** Teeth of any length and slope, side by side: long edges close together, some of them vertical. */
const comb = fc
  .record({ teeth: fc.array(fc.integer({ min: -3, max: 20 }), { minLength: 2, maxLength: 60 }), slope: fc.integer({ min: 0, max: 3 }) })
  .map(({ teeth, slope }) =>
    ring([
      ...teeth.flatMap((height, index): [number, number][] => [
        [index * 2, 0],
        [index * 2 + slope, height],
        [index * 2 + 1, 0],
      ]),
      [teeth.length * 2, -5],
      [-1, -5],
    ]),
  );

/** Also rotated by 90 degrees, so that both axes have vertical edges. */
const shapes = fc.tuple(fc.oneof(scattered, radial, comb), fc.boolean(), fc.boolean()).map(([shape, isRotated, isReversed]): Ring => {
  const rotated = isRotated ? shape.map(({ lat, lng }) => ({ lat: lng, lng: -lat })) : shape;
  return isReversed ? rotated.toReversed() : rotated;
});

describe("[SEARCH-26] crossesItself", () => {
  it.each<[string, Ring, boolean]>([
    [
      "a square",
      ring([
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ]),
      false,
    ],
    [
      "a bow tie",
      ring([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
      ]),
      true,
    ],
    [
      "a corner on another edge",
      ring([
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 0],
        [0, 10],
      ]),
      true,
    ],
    [
      "a spike",
      ring([
        [0, 0],
        [10, 0],
        [20, 0],
        [10, 0],
        [10, 10],
      ]),
      true,
    ],
    [
      "an edge that lies on another",
      ring([
        [0, 0],
        [10, 0],
        [10, 5],
        [20, 5],
        [20, 0],
        [5, 0],
        [5, -5],
      ]),
      true,
    ],
    [
      "a corner on a straight line",
      ring([
        [0, 0],
        [5, 0],
        [10, 0],
        [10, 10],
      ]),
      false,
    ],
    [
      "a flat triangle",
      ring([
        [0, 0],
        [10, 0],
        [5, 0],
      ]),
      true,
    ],
    [
      "a comb",
      ring([
        [0, 0],
        [9, 0],
        [9, 9],
        [8, 1],
        [7, 9],
        [6, 1],
        [5, 9],
        [0, 9],
      ]),
      false,
    ],
  ])("%s: %#", (_title, shape, expected) => {
    expect(crossesItself(shape)).toBe(expected);
    expect(crossesItself(shape.toReversed())).toBe(expected);
  });
});

describe("crossesBySweep", () => {
  it("agrees with comparing all edges", () => {
    let [crossing, simple] = [0, 0];
    fc.assert(
      fc.property(shapes, (shape) => {
        const expected = crossesByPairs(shape);
        if (expected) crossing += 1;
        else simple += 1;
        expect(crossesBySweep(shape) ?? expected).toBe(expected);
      }),
      { numRuns: 800 },
    );
    expect([crossing > 100, simple > 100]).toEqual([true, true]);
  });

  it("decides every shape with integer coordinates", () => {
    fc.assert(
      fc.property(fc.oneof(scattered, comb), (shape) => {
        expect(crossesBySweep(shape)).toBe(crossesByPairs(shape));
      }),
      { numRuns: 500 },
    );
  });

  it("compares few edges of a shape with thousands of corners, even if all lie close together", () => {
    const count = 5_000;
    const zigzag = Array.from({ length: count }, (_, n): [number, number] => [
      n % 2 === 0 ? n / 50 : 60 + n / 50,
      n % 2 === 0 ? n / 100 : 60 + n / 100,
    ]);
    const shape = ring([...zigzag, [170, 80], [170, -5], [-1, -5]]);
    let reads = 0;
    const observed = shape.map(({ lat, lng }) => ({
      lng,
      get lat() {
        reads += 1;
        return lat;
      },
    }));
    expect(crossesItself(observed)).toBe(false);
    expect(reads / count).toBeLessThan(1_000);
    expect(crossesItself([...shape.slice(0, -1), { lng: -1, lat: 60 }])).toBe(true);
  });
});
