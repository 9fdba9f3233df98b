import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AggregationGroup } from "#query/engine.ts";
import { stepsOf } from "#query/sql/steps.ts";
import { opened, hour, times, openTimes, span, hours, oneByOne, together, firstHour, compareSteps } from "#testing/aggregated-times.ts";

beforeAll(openTimes);

afterAll(() => opened.bench.close());

describe("groups that are steps of time", () => {
  it.each(["instant", "huge", "floating"] as const)(
    "[GRAPH-31] yield the same values as separate calls, around 1970 and beyond the data, for a time stored as %s",
    async (kind) => {
      await expect(compareSteps(kind)).resolves.toBeUndefined();
    },
  );

  it("[GRAPH-31] yield the same values as separate calls when the range cuts the first and last, and with filters", async () => {
    for (const kind of ["instant", "seconds"] as const) {
      const [, ...inner] = hours(kind, firstHour, 12);
      const groups = [
        span(kind, firstHour + 1_234_567, firstHour + hour - 1),
        ...inner.slice(0, -1),
        span(kind, firstHour + 11 * hour, firstHour + 11.5 * hour),
      ];
      expect(stepsOf(groups)?.indexes).toEqual(groups.map((_, index) => index));
      const query = { conditions: [{ column: "n", type: "integer", operator: ">", value: 5_000n }] as const };
      expect(await together(kind, groups, query)).toEqual(await oneByOne(kind, groups, query));
      const ranged = {
        timeRange: { column: 'at "a"', type: times[kind][0], startMs: firstHour + 2.5 * hour, endMs: firstHour + 4.5 * hour },
      };
      const [none, , third] = await together(kind, groups, ranged);
      expect(none).toEqual([0, 0, null, null, null, null, null, null, null]);
      expect(third).toEqual((await oneByOne(kind, [span(kind, firstHour + 2.5 * hour, firstHour + 3 * hour - 1)]))[0]);
    }
  });

  it.each([
    [
      "they overlap",
      [
        [0, 10],
        [5, 15],
      ],
    ],
    [
      "an inner one differs in width",
      [
        [0, 9],
        [10, 15],
        [20, 29],
      ],
    ],
    [
      "they are not aligned to one grid",
      [
        [0, 9],
        [15, 24],
        [30, 39],
      ],
    ],
    [
      "they are too far apart",
      [
        [0, 9],
        [1_000_000, 1_000_009],
      ],
    ],
  ])("[GRAPH-31] are not treated as steps if %s, and still yield the right values", async (_, edges) => {
    const groups = edges.map(([from = 0, to = 0]) => span("instant", firstHour + from * 60_000, firstHour + to * 60_000 + 59_999));
    expect(stepsOf(groups)).toBeUndefined();
    expect(await together("instant", groups)).toEqual(await oneByOne("instant", groups));
  });
});

describe("groups with conditions", () => {
  it("count rows without a value apart from those of other values", async () => {
    const real = (operator: "=" | "<>", value: number | null) => ({ column: "real", type: "decimal" as const, operator, value });
    const name = (operator: "=" | "<>", value: string | null) => ({ column: "name", type: "STRING" as const, operator, value });
    const groups: AggregationGroup[] = [
      [real("=", 1)],
      [real("=", null)],
      [real("<>", 1), real("<>", null)],
      [name("=", "x1")],
      [name("=", null)],
      [name("<>", "x1"), name("<>", null)],
    ].map((conditions) => ({ timeRange: null, conditions }));
    const counts = (await together("instant", groups)).map(([count]) => Number(count));
    const isEmpty = (n: number) => n % 5 === 0 || n % 7 === 0 || n % 11 === 0;
    const empty = Array.from({ length: 20_000 }, (_, n) => n).filter(isEmpty).length;
    const [one = 0, , others = 0] = counts;
    expect(counts[1]).toBe(empty);
    expect(one).toBeGreaterThan(0);
    expect(one + empty + others).toBe(20_000);
    expect(counts.slice(3)).toEqual([1, 6_667, 13_332]);
  });
});
