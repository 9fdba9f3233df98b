import { readerAccess } from "@fairway/contract/dataset-access";
import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { measuresCoarseValues } from "./measures-coarse-values.ts";

const count = { aggregation: "count", column: "*" };
const average = { aggregation: "avg", column: "delay" };
const coarse = [{ name: "delay", form: { step: 10 } }];
const access = readerAccess.parse({ rows: "some", columns: "all", notes: [], coarse, version: "v1" });
const schema = { columns: [buildColumn("delay"), buildColumn("origin")] };

it("figures of coarse values are told from those that only count, or group by, them", () => {
  expect(measuresCoarseValues({ measures: [count, average] }, { access, schema })).toBe(true);
  expect(measuresCoarseValues({ measures: [count], by: [{ kind: "value", column: "delay" }] }, { access, schema })).toBe(false);
  expect(measuresCoarseValues({ measures: [average] }, { schema })).toBe(false);
});
