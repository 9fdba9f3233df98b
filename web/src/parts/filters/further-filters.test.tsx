import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { applied, chip, sent, serveFurtherFilters } from "#testing/further-filters.ts";
import { skipPauses } from "#testing/pauses.ts";
import { fewRows, openResults } from "#testing/results.ts";

beforeEach(() => {
  skipPauses(250);
  serveFurtherFilters();
});

const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });

it("edits a list in the dialog, whose kinds are those of the column, and makes alternatives of a filter", async () => {
  await openResults(fewRows);
  await page.getByRole("button", { name: "Add filter", exact: true }).click();
  await page.getByRole("listbox").getByRole("option", { name: "wind", exact: true }).click();
  const kinds = dialog("Add filter").getByRole("radiogroup", { name: "Kind of condition" });
  await expect.element(kinds).toHaveTextContent(/^CompareListRange$/);
  await kinds.getByText("Range", { exact: true }).click();
  await dialog("Add filter").getByRole("textbox", { name: "From", exact: true }).fill("150");
  await dialog("Add filter").getByRole("textbox", { name: "To", exact: true }).fill("140");
  await dialog("Add filter").getByRole("button", { name: "Add filter", exact: true }).click({ force: true });
  await dialog("Add filter").getByRole("textbox", { name: "To", exact: true }).fill("160");
  await expectAccessible();
  await dialog("Add filter").getByRole("button", { name: "Add filter", exact: true }).click();
  await expect.element(chip("wind between 150 and 160")).toBeVisible();
  expect(sent()).toEqual([{ name: "wind", operator: "between", value: [150, 160] }]);
  await chip("wind between 150 and 160").click();
  await dialog("Edit filter").getByText("List", { exact: true }).click();
  await dialog("Edit filter").getByRole("textbox", { name: "Values", exact: true }).fill("145, 150\n155");
  await dialog("Edit filter").getByRole("button", { name: "Save filter", exact: true }).click();
  await expect.element(chip("wind in 145, 150, 155")).toBeVisible();
  await applied().getByRole("button", { name: "Add alternative to wind in 145, 150, 155", exact: true }).click();
  await page.getByRole("listbox").getByRole("option", { name: "pressure", exact: true }).click();
  await dialog("Add alternative").getByRole("combobox", { name: "Operator", exact: true }).selectOptions("<");
  await dialog("Add alternative").getByRole("textbox", { name: "Value", exact: true }).fill("905");
  await dialog("Add alternative").getByRole("button", { name: "Add alternative", exact: true }).click();
  await expect.element(chip("wind in 145, 150, 155 or pressure < 905")).toBeVisible();
});
