import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AggregationGroup } from "#query/engine.ts";
import { stepsOf } from "#query/sql/steps.ts";
import { opened, hour, openTimes, span, hours, oneByOne, together, firstHour, compareSteps } from "#testing/aggregated-times.ts";

beforeAll(openTimes);

afterAll(() => opened.bench.close());

describe("groups that are steps of time", () => {
  it.each(["finer", "zoned", "seconds", "number", "whole", "exact"] as const)(
    "yield the same values as separate calls, around 1970 and beyond the data, for a time stored as %s",
    async (kind) => {
      await expect(compareSteps(kind)).resolves.toBeUndefined();
    },
  );

  it("may come in any order, with omissions and repetitions, and be as narrow as the column's unit", async () => {
    const some = hours("instant", firstHour, 9);
    const groups = [7, 2, 2, 5, 0].map((index) => some[index]).filter((group) => group !== undefined);
    expect(stepsOf(groups)?.indexes).toEqual([7, 2, 2, 5, 0]);
    expect(await together("instant", groups)).toEqual(await oneByOne("instant", groups));
    const seconds = Array.from({ length: 100 }, (_, index) => span("finer", firstHour + index * 1_000, firstHour + index * 1_000 + 999));
    expect(await together("finer", seconds)).toEqual(await oneByOne("finer", seconds));
    const moment = span("whole", 0, 0);
    expect(await together("whole", [moment])).toEqual(await oneByOne("whole", [moment]));
  });
});

describe("groups with conditions", () => {
  it("yield the same values as separate calls, even if they need several scans", async () => {
    const groups = Array.from({ length: 60 }, (_, index): AggregationGroup => ({
      timeRange: index % 3 === 0 ? (span("instant", firstHour, firstHour + 20 * hour).timeRange ?? null) : null,
      conditions: [
        { column: "n", type: "integer", operator: ">=", value: BigInt(index * 333) },
        {
          column: "name",
          type: "STRING",
          operator: index % 2 === 0 ? "<>" : "=",
          value: index % 2 === 0 ? "' or 1=1 --" : `x${index * 400 + 1}`,
        },
      ],
    }));
    expect(await together("instant", groups)).toEqual(await oneByOne("instant", groups));
  });
});
