import { expect, it } from "vitest";
import { selectionState, withDatasetToggled, withHeaderToggled } from "./multi-selection.ts";

const ref = (datasetCategory: string, datasetId: string) => ({ datasetCategory, datasetId });
/** An entry of the list, which has more properties than a reference. */
const listed = (category: string, id: string) => ({ ...ref(category, id), description: "Rows.", supportsMapResults: false });
const nature = [listed("nature", "quakes"), listed("nature", "storms")];

it("[PICKER-06] toggling a header selects every dataset below it, and toggling it again none", () => {
  const elsewhere = ref("insurance", "storms");
  const selection = withHeaderToggled([elsewhere, ref("nature", "storms")], nature);
  expect(selection).toStrictEqual([elsewhere, ref("nature", "quakes"), ref("nature", "storms")]);
  expect(withHeaderToggled(selection, nature)).toStrictEqual([elsewhere]);
});

it("[PICKER-07] a selection holds references to datasets, and no headers", () => {
  expect(withHeaderToggled([], nature)).toStrictEqual([ref("nature", "quakes"), ref("nature", "storms")]);
  expect(withDatasetToggled([], listed("nature", "quakes"))).toStrictEqual([ref("nature", "quakes")]);
});

it("a dataset is toggled by category and id", () => {
  const chosen = [ref("insurance", "storms")];
  const more = withDatasetToggled(chosen, listed("nature", "storms"));
  expect(more).toStrictEqual([...chosen, ref("nature", "storms")]);
  expect(withDatasetToggled(more, listed("insurance", "storms"))).toStrictEqual([ref("nature", "storms")]);
});

it("a header knows whether none, some or all datasets below it are selected", () => {
  expect(selectionState(nature, [ref("insurance", "storms")])).toBe("none");
  expect(selectionState(nature, [ref("nature", "storms")])).toBe("some");
  expect(selectionState(nature, nature)).toBe("all");
});
