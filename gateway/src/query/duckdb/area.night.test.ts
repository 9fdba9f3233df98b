import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { opened, openPositions, compareWithWinding } from "#testing/areas.ts";

beforeAll(openPositions);

afterAll(() => opened.bench.close());

describe("rows within an area of many corners", () => {
  it.each([4, 5, 47, 50, 200, 2_000])("match the winding number for %i corners, on real positions", async (corners) => {
    await expect(compareWithWinding(corners)).resolves.toBeUndefined();
  });
});
