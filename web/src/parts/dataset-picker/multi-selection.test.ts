import { expect, it } from "vitest";
import { shareOf, withDatasetToggled, withHeaderToggled } from "./multi-selection.ts";

const ref = (datasetCategory: string, datasetId: string) => ({ datasetCategory, datasetId });
/** As the picker lists them: with more than a reference holds. */
const listed = (category: string, id: string) => ({ ...ref(category, id), description: "Rows.", supportsMapResults: false });
const nature = [listed("nature", "quakes"), listed("nature", "storms")];

it("[PICKER-06] a header chooses every dataset below it, and a second time none of them", () => {
  const elsewhere = ref("insurance", "storms");
  const one = withHeaderToggled([elsewhere, ref("nature", "storms")], nature);
  expect(one).toStrictEqual([elsewhere, ref("nature", "quakes"), ref("nature", "storms")]);
  expect(withHeaderToggled(one, nature)).toStrictEqual([elsewhere]);
});

it("[PICKER-07] a selection holds datasets by category and id, and no header", () => {
  expect(withHeaderToggled([], nature)).toStrictEqual([ref("nature", "quakes"), ref("nature", "storms")]);
  expect(withDatasetToggled([], listed("nature", "quakes"))).toStrictEqual([ref("nature", "quakes")]);
});

it("a dataset is chosen and taken away again by category and id", () => {
  const chosen = [ref("insurance", "storms")];
  const more = withDatasetToggled(chosen, listed("nature", "storms"));
  expect(more).toStrictEqual([...chosen, ref("nature", "storms")]);
  expect(withDatasetToggled(more, listed("insurance", "storms"))).toStrictEqual([ref("nature", "storms")]);
});

it("a header tells how much below it is chosen", () => {
  expect(shareOf(nature, [ref("insurance", "storms")])).toBe("none");
  expect(shareOf(nature, [ref("nature", "storms")])).toBe("some");
  expect(shareOf(nature, nature)).toBe("all");
});
