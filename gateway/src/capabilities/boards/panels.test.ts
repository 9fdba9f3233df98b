import type { BoardContent } from "@fairway/contract/boards";
import { expect, it } from "vitest";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { type StoredPanel, visibleContent } from "./panels.ts";
import { someUser } from "#testing/some-user.ts";

const ada: SignedInUser = someUser({ id: "u-ada", username: "ada", sessionId: "" });
const place = { x: 0, y: 0, w: 3, h: 2 };
const panelOf = (datasetCategory: string): StoredPanel => ({
  kind: "number",
  id: datasetCategory,
  place,
  title: "Rows",
  dataset: { datasetCategory, datasetId: "rain" },
  query: { filters: [] },
  value: { aggregation: "count", column: "*" },
});

it("says of hidden panels which are of own datasets, as these do not exist for the reader", async () => {
  const panels = [panelOf("Weather"), panelOf("~bob"), panelOf("~ada")];
  const stored = { refreshMinutes: null, panels } as unknown as Parameters<typeof visibleContent>[2];
  const { panels: seen }: BoardContent = await visibleContent(
    (_, { datasetCategory }) => Promise.resolve(datasetCategory === "~ada"),
    ada,
    stored,
    "view",
  );
  expect(seen).toEqual([{ kind: "hidden", id: "Weather", place }, { kind: "hidden", id: "~bob", place, isGone: true }, panels[2]]);
});

it("hides panels that name what is withheld from the reader, but from their author", async () => {
  const panels = [panelOf("Weather"), { ...panelOf("Tides"), value: { aggregation: "max", column: "salary" } }] as StoredPanel[];
  const stored = { refreshMinutes: null, panels } as unknown as Parameters<typeof visibleContent>[2];
  const canRead = (_: SignedInUser, __: object, saved: unknown) => Promise.resolve(!JSON.stringify(saved ?? null).includes("salary"));
  expect((await visibleContent(canRead, ada, stored, "edit")).panels).toEqual([panels[0], { kind: "hidden", id: "Tides", place }]);
  expect((await visibleContent(canRead, ada, stored, "own")).panels).toEqual(panels);
});
