import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { serveFurtherFilters } from "#testing/further-filters.ts";
import { press, type } from "#testing/keyboard.ts";
import { skipPauses } from "#testing/pauses.ts";
import { fewRows, openResults, searches } from "#testing/results.ts";

beforeEach(() => {
  skipPauses(250);
  serveFurtherFilters();
});

const bar = () => page.getByRole("combobox", { name: "Type a filter", exact: true });
const options = () => page.getByRole("listbox").getByRole("option");
const applied = () => page.getByRole("group", { name: "Filters applied" });
const chip = (text: string) => applied().getByRole("button", { name: `Edit filter ${text}`, exact: true });
const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
const sent = () => (searches().at(-1)?.filters ?? []).slice(2);

it("offers both readings of a comma with their rows, takes the list whose parts occur, and says alternatives as they are typed", async () => {
  await openResults(fewRows);
  await type("name <> Katrina, Wilma", bar());
  await expect.element(options().first()).toHaveTextContent(/^name not in Katrina, Wilma0 of \d+ rows$/);
  await expect.element(options().first()).toHaveAttribute("aria-selected", "true");
  await expect.element(options().nth(1)).toHaveTextContent(/^name <> "Katrina, Wilma"\d+ of \d+ rows$/);
  await bar().fill("wind >= 145 or pressure < 905");
  await press("Enter");
  await expect.element(chip("wind >= 145 or pressure < 905")).toBeVisible();
  expect(sent()).toEqual([
    {
      name: "*",
      operator: "any",
      value: [[{ name: "wind", operator: ">=", value: 145 }], [{ name: "pressure", operator: "<", value: 905 }]],
    },
  ]);
  await press("Backspace", bar());
  await expect.element(bar()).toHaveValue("wind >= 145 or pressure < 905");
  await bar().fill("status in a, b, hurricane, c");
  await press("Enter");
  await expect.element(chip("status in a, b and 2 more")).toBeVisible();
  expect(sent()).toEqual([{ name: "status", operator: "in", value: ["a", "b", "hurricane", "c"] }]);
});

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
