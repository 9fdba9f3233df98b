import type { Column } from "@fairway/contract/columns";
import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { computedFrom } from "./computed-draft.ts";
import type { DatasetDraft } from "./dataset-draft.ts";

const computed = (name: string, expression: string): Column => buildColumn(name, { type: "decimal", computed: { expression } });

it("names the columns that are computed from looked-up ones, also by way of others", () => {
  const columns = [
    buildColumn("size", { type: "integer" }),
    computed("twice", "size * 2"),
    computed("share", 'size / "people there"'),
    computed("percent", "share * 100"),
    computed("broken", "nothing + 1"),
  ];
  const draft = { schema: { columns } } as DatasetDraft;
  const lookedUp = [buildColumn("people there", { type: "integer" }), buildColumn("state")];
  expect(computedFrom(new Set(["people there"]), draft, lookedUp)).toEqual(["share", "percent"]);
  expect(computedFrom(new Set(["state"]), draft, lookedUp)).toEqual([]);
});
