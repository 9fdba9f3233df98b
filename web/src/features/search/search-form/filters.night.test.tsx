import { beforeEach, expect, it, describe } from "vitest";
import { page } from "vitest/browser";
import { expectText, expectTexts } from "#testing/assertions.ts";
import {
  searchRequests,
  birdStrikes,
  expectRows,
  industries,
  openForm,
  searchButton,
  storms,
  timeRange,
  serveSearchForms,
  earthquakes,
} from "#testing/datasets-screen.ts";
import { type, press } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { add, addFilter, chooseField, filterDialog, hint, offeredFields, operatorsOf } from "#testing/form-filters.ts";
import { openOnce } from "#testing/open-once.tsx";

beforeEach(serveSearchForms);

it("enables Search at once if nothing is required, and adds two additional filters on one column", async () => {
  const requests = searchRequests();
  await openForm(industries);
  await expect.element(searchButton()).toBeEnabled();
  await expect.element(hint()).not.toBeInTheDocument();
  await add("Rate at least", ">=", "9.5");
  await addFilter().click();
  expect(await offeredFields()).toEqual(["Year", "Month of the year", "Rate at most", "Unemployed at least"]);
  await filterDialog().getByRole("button", { name: "Cancel", exact: true }).click();
  await add("Rate at most", "<=", "10");
  await page.getByRole("button", { name: "Edit filter Rate at most", exact: true }).click();
  await expect.element(filterDialog().getByRole("combobox", { name: "Field" })).toHaveValue("Rate at most");
  await filterDialog().getByLabelText("Value", { exact: true }).fill("9.7");
  await filterDialog().getByRole("button", { name: "Save filter", exact: true }).click();
  await searchButton().click();
  await expectRows("industry-unemployment");
  expect(requests.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "rate", value: 9.5, operator: ">=" },
      { name: "rate", value: 9.7, operator: "<=" },
    ],
  });
});

it("lets a value be entered where rows without one are asked for", async () => {
  await openForm(storms);
  await addFilter().click();
  await chooseField("wind");
  await filterDialog().getByRole("checkbox", { name: "Empty", exact: true }).click();
  await filterDialog().getByRole("button", { name: "Add filter", exact: true }).click();
  const wind = page.getByRole("textbox", { name: "wind", exact: true });
  await expect.element(wind).toHaveValue("empty");
  await expectTexts(operatorsOf("wind"), ["=", "<>"]);
  await page.getByRole("button", { name: "Enter a value of wind", exact: true }).click();
  await expect.element(wind).toHaveFocus();
  await type("64");
  await expect.element(wind).toHaveValue("64");
  await expectTexts(operatorsOf("wind"), ["=", "<>", "<", "<=", ">", ">="]);
});

it("offers = and <> for a boolean and sends it as a boolean", async () => {
  const requests = searchRequests();
  await openForm(birdStrikes);
  await expectTexts(operatorsOf("Damaged"), ["=", "<>"]);
  const damaged = page.getByRole("combobox", { name: "Damaged", exact: true });
  await expectTexts(damaged.getByRole("option"), ["Any", "true", "false"]);
  await damaged.selectOptions("true");
  await page.getByRole("combobox", { name: "Operator of Damaged", exact: true }).selectOptions("<>");
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await searchButton().click();
  await expectRows("bird-strikes");
  expect(requests.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "iata", value: "DEN", operator: "=" },
      { name: "damaged", value: true, operator: "<>" },
    ],
  });
});

it("keeps the form of a dataset across datasets, screens and reloads", async () => {
  await openForm(storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Andrew");
  await page.getByRole("combobox", { name: "Operator of Wind at least", exact: true }).selectOptions("<");
  await page.getByRole("textbox", { name: "Wind at least", exact: true }).fill("64");
  await page.getByRole("button", { name: "All data", exact: true }).click();
  await add("season", ">", "1990");
  const range = timeRange().element().textContent;
  const expectUnchanged = async () => {
    await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Andrew");
    await expect.element(page.getByRole("combobox", { name: "Operator of Wind at least", exact: true })).toHaveValue("<");
    await expect.element(page.getByRole("textbox", { name: "Wind at least", exact: true })).toHaveValue("64");
    await expect.element(page.getByRole("textbox", { name: "season", exact: true })).toHaveValue("1990");
    await expect.element(page.getByRole("combobox", { name: "Operator of season", exact: true })).toHaveValue(">");
    expect(range).not.toContain("Any time");
    await expectText(timeRange(), range ?? "");
  };
  await expectUnchanged();
  await openScreen(location.href);
  await expectUnchanged();
  await page.getByRole("button", { name: "airports", exact: true }).click();
  await expect.element(page.getByRole("textbox", { name: "City", exact: true })).toHaveValue("");
  history.back();
  await expectUnchanged();
  await searchButton().click();
  await expectRows("storm-tracks");
  history.back();
  await expectUnchanged();
});

describe("the form of earthquakes", () => {
  openOnce(() => openForm(earthquakes));

  it("accepts only whole numbers in the dialog of a whole number", async () => {
    await addFilter().click();
    await chooseField("felt");
    const felt = filterDialog().getByRole("textbox", { name: "Value", exact: true });
    await expect.element(felt).toHaveAttribute("inputmode", expect.stringMatching(/^(numeric|decimal)$/));
    await type("1x2.5", felt);
    await press("Tab", felt);
    await expect.element(felt).toHaveValue("12.5");
    await expect.element(page.getByText("'12.5' is not a whole number.")).toBeVisible();
    await expect.element(felt).toHaveAccessibleDescription("'12.5' is not a whole number.");
    await expect.element(filterDialog().getByRole("button", { name: "Add filter", exact: true })).toBeDisabled();
    await filterDialog().getByRole("button", { name: "Cancel", exact: true }).click();
  });
});
