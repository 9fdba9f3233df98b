import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { applied, chip, sent, serveFurtherFilters } from "#testing/further-filters.ts";
import { press, type } from "#testing/keyboard.ts";
import { skipPauses } from "#testing/pauses.ts";
import { fewRows, openResults, searches } from "#testing/results.ts";

const bar = () => page.getByRole("combobox", { name: "Type a filter", exact: true });
const options = () => page.getByRole("listbox").getByRole("option");
const dialog = () => page.getByRole("dialog", { name: "Edit filter", exact: true });

beforeEach(() => {
  skipPauses(250);
  serveFurtherFilters();
});

it("edits alternatives as text, says what is wrong, and asks before the text is lost", async () => {
  await openResults(fewRows);
  await type("wind >= 145 or pressure < 905", bar());
  await press("Enter");
  await applied().getByRole("button", { name: "Edit filter wind >= 145 or pressure < 905", exact: true }).click();
  const field = dialog().getByRole("textbox", { name: "Alternatives", exact: true });
  await expect.element(field).toHaveValue("wind >= 145 or pressure < 905");
  await field.fill("wind >= 145 or presure < 905");
  await dialog().getByRole("button", { name: "Save filter", exact: true }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("There is no column presure. Did you mean pressure?");
  await expectAccessible();
  await press("Escape");
  await expect.element(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
  await page.getByRole("button", { name: "Keep Editing" }).click();
  await field.fill("(wind >= 145 and status = hurricane) or pressure < 900");
  await dialog().getByRole("button", { name: "Save filter", exact: true }).click();
  await expect
    .element(applied().getByRole("button", { name: "Edit filter (wind >= 145 and status = hurricane) or pressure < 900", exact: true }))
    .toBeVisible();
});

it("chooses days and hours in a zone", async () => {
  await openResults(fewRows);
  await type("time when Saturday, s", bar());
  await expect.element(options().first()).toHaveTextContent(/^Sunday/);
  await press("ArrowDown");
  await press("Enter");
  await expect.element(bar()).toHaveValue("time when Saturday, Sunday");
  await press("Enter");
  await applied().getByRole("button", { name: "Edit filter time when Saturday, Sunday", exact: true }).click();
  const days = dialog().getByRole("group", { name: "Day of the week" });
  await expect.element(days.getByRole("button", { name: "Sunday", exact: true })).toHaveAttribute("aria-pressed", "true");
  await days.getByRole("button", { name: "Sunday", exact: true }).click();
  await days.getByRole("button", { name: "Monday", exact: true }).click();
  await expectAccessible();
  await dialog().getByRole("button", { name: "Save filter", exact: true }).click();
  await expect.element(applied().getByRole("button", { name: "Edit filter time when Monday, Saturday", exact: true })).toBeVisible();
  expect(searches().at(-1)?.filters?.at(-1)).toEqual({
    name: "time",
    operator: "when",
    value: { part: "dayOfWeek", zone: "UTC", in: [1, 6] },
  });
});

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

it("says which list a typed text adds, with the rows that the search would find", async () => {
  await openResults(fewRows);
  const bar = page.getByRole("combobox", { name: "Type a filter", exact: true });
  await type("status in hurricane, t", bar);
  const options = page.getByRole("listbox").getByRole("option");
  await expect.element(options.first()).toHaveTextContent(/^tropical/);
  await press("ArrowDown");
  await expect.element(page.getByText(/^Addsstatus in hurricane, tropical .*\d+ of \d+ rows$/)).toBeVisible();
  await bar.fill("status = t");
  await expect.element(options.first()).toBeVisible();
  await expect.element(page.getByText(/^Adds/)).not.toBeInTheDocument();
});
