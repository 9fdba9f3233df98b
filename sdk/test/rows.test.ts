import { expect, it } from "vitest";
import type { Column } from "../src/client/index.ts";
import { withIsoTimes } from "../src/cli/rows.ts";

const column = (name: string, type: Column["type"], day?: boolean): Column => ({
  name,
  type,
  description: "",
  combined: null,
  ...(day === undefined ? {} : { day }),
});

it("times are ISO 8601, and whole days have no clock", () => {
  const columns = [column("at", "TIMESTAMP_SECONDS"), column("day", "TIMESTAMP_SECONDS", true), column("ms", "TIMESTAMP_MILLS", true)];
  expect(
    withIsoTimes(
      [
        { at: 1_704_067_200, day: 1_704_067_200, ms: -86_400_000 },
        { at: null, day: null, ms: "beyond" },
      ],
      columns,
    ),
  ).toEqual([
    { at: "2024-01-01T00:00:00.000Z", day: "2024-01-01", ms: "1969-12-31" },
    { at: null, day: null, ms: "beyond" },
  ]);
});
