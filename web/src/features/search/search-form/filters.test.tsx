import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectText, expectTexts } from "#testing/assertions.ts";
import {
  airports,
  alterDescription,
  searchRequests,
  dailyWeather,
  earthquakes,
  expectRows,
  openForm,
  searchButton,
  storms,
  serveSearchForms,
} from "#testing/datasets-screen.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press, type } from "#testing/keyboard.ts";
import { add, addFilter, chooseField, filterDialog, hint, offeredFields, operatorsOf } from "#testing/form-filters.ts";
import { setField } from "#testing/quick-fields.ts";

beforeEach(serveSearchForms);

describe("a filter", () => {
  openOnce(() => openForm(storms));
  const allOperators = ["=", "<>", "<", "<=", ">", ">="];
  const done = () => filterDialog().getByRole("button", { name: "Add filter", exact: true });
  const value = () => filterDialog().getByLabelText("Value", { exact: true });
  const requests = searchRequests();

  it("[SEARCH-32] has the operators of its type", async () => {
    await expectTexts(operatorsOf("Storm name"), allOperators);
    await expectTexts(operatorsOf("Wind at least"), allOperators);
    await addFilter().click();
    const operators = filterDialog().getByLabelText("Operator", { exact: true }).getByRole("option");
    for (const [field, offered] of [
      ["season", allOperators],
      ["latitude", allOperators],
      ["time", allOperators],
      ["status", allOperators],
      ["major", ["=", "<>"]],
    ] as const) {
      await chooseField(field);
      await expectTexts(operators, [...offered]);
    }
    await filterDialog().getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.element(filterDialog()).not.toBeInTheDocument();
  });

  it("[SEARCH-31][SEARCH-36] is added and edited in a dialog once it has a value", async () => {
    await addFilter().click();
    const dialog = filterDialog();
    await expect.element(dialog).toHaveAccessibleName("Add filter");
    await expect.element(done()).toBeDisabled();
    await chooseField("status");
    await expect.element(done()).toBeDisabled();
    await setField(value(), "   ");
    await expect.element(done()).toBeDisabled();
    await press("Enter", value());
    await expect.element(dialog).toBeVisible();
    await setField(value(), "hurricane");
    await expect.element(done()).toBeEnabled();
    await press("Enter", value());
    await expect.element(dialog).not.toBeInTheDocument();
    const status = page.getByRole("textbox", { name: "status", exact: true });
    await expect.element(status).toHaveValue("hurricane");
    // Enter in the dialog adds the filter without searching.
    expect(requests.searches).toEqual([]);

    await page.getByRole("button", { name: "Edit filter status", exact: true }).click();
    await expect.element(dialog).toHaveAccessibleName("Edit filter");
    await setField(value(), "");
    await expect.element(dialog.getByRole("button", { name: "Save filter", exact: true })).toBeDisabled();
    await setField(value(), "tropical storm");
    await setField(dialog.getByLabelText("Operator", { exact: true }), "<>");
    await dialog.getByRole("button", { name: "Save filter", exact: true }).click();
    await expect.element(status).toHaveValue("tropical storm");
    await expect.element(page.getByRole("combobox", { name: "Operator of status", exact: true })).toHaveValue("<>");
    await page.getByRole("button", { name: "Remove filter status", exact: true }).click();
    await expect.element(status).not.toBeInTheDocument();
  });

  it("[SEARCH-36][SEARCH-58] of an invalid value is focused instead of searched, a valid one is sent with its operator", async () => {
    await setField(page.getByRole("textbox", { name: "Storm name", exact: true }), "Katrina");
    await setField(page.getByRole("combobox", { name: "Operator of Storm name", exact: true }), "<>");
    await add("time", ">=", "2005-08-28T00:00:00Z");
    const time = page.getByRole("textbox", { name: "time", exact: true });
    await setField(time, "late summer");
    await press("Enter", time);
    await expect.element(page.getByText("Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z.")).toBeVisible();
    await expect.element(time).toHaveAttribute("aria-invalid", "true");
    await expect.element(time).toHaveFocus();
    await expectAddress(/\/search\?/);
    expect(requests.searches).toEqual([]);
    await setField(time, "2005-08-28T12:00:00Z");
    await press("Enter", time);
    await expectRows("storm-tracks");
    expect(requests.searches.map(({ body }) => body)).toEqual([
      {
        paging: { offset: 0, max: 25 },
        filters: [
          { name: "name", value: "Katrina", operator: "<>" },
          { name: "time", value: "2005-08-28T12:00:00.000Z", operator: ">=" },
        ],
      },
    ]);
  });
});

describe("the form of earthquakes", () => {
  openOnce(() => openForm(earthquakes));
  const magnitude = () => page.getByRole("textbox", { name: "Magnitude at least", exact: true });

  it("[SEARCH-35] shows a pre-filled filter locked, which does not satisfy the requirements by itself", async () => {
    const locked = page.getByRole("group", { name: "Type, locked", exact: true });
    await expect.element(locked).toHaveTextContent("= earthquake");
    await expect.element(locked.getByRole("button")).not.toBeInTheDocument();
    await expect.element(locked.getByRole("textbox")).not.toBeInTheDocument();
    await expect.element(locked.getByRole("combobox")).not.toBeInTheDocument();
    await expect.element(page.getByRole("button", { name: /^(Edit|Remove) filter Type$/ })).not.toBeInTheDocument();
    await expect.element(searchButton()).toBeDisabled();
  });

  it("[SEARCH-33] accepts only numbers in a number filter, and anything in a text filter", async () => {
    // Determines the phone keyboard.
    await expect.element(magnitude()).toHaveAttribute("inputmode", "decimal");
    await type("a-1b.5", magnitude());
    await expect.element(magnitude()).toHaveValue("-1.5");
    // Invalid numbers are kept and reported, never changed into other numbers.
    await setField(magnitude(), "");
    await type("4,5", magnitude());
    await press("Tab", magnitude());
    await expect.element(magnitude()).toHaveValue("4,5");
    await expect.element(page.getByText("'4,5' is not a number. Write decimals with a point and don't separate thousands.")).toBeVisible();
    await expect.element(magnitude()).toHaveAccessibleDescription(/^'4,5' is not a number\./);
    await setField(magnitude(), "");
    const region = page.getByRole("textbox", { name: "Region", exact: true });
    await type("a-1b.5", region);
    await expect.element(region).toHaveValue("a-1b.5");
    await setField(region, "");
  });

  it("[SEARCH-35][SEARCH-58] never sends the pre-filled filter, and shows it locked beside the results", async () => {
    const requests = searchRequests();
    await setField(magnitude(), "1");
    await searchButton().click();
    await expectRows("earthquakes");
    expect(requests.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "mag", value: 1, operator: ">=" }] });
    expect(requests.counts[0]?.body).toEqual({ filters: [{ name: "mag", value: 1, operator: ">=" }] });
    const applied = page.getByRole("group", { name: "Filters applied" });
    await expect.element(applied.getByText("type = earthquake", { exact: true })).toBeVisible();
    await expect.element(applied.getByRole("button", { name: /type = earthquake|Remove filter Type/ })).not.toBeInTheDocument();
  });
});

describe("the form of a dataset with a required filter", () => {
  openOnce(() => openForm(dailyWeather));
  const location = () => page.getByRole("textbox", { name: "Location", exact: true });
  const required = "To perform a search, you must fill in the following filters: Location";

  it("[SEARCH-37][SEARCH-38] offers an additional filter until it is added, and again once it is removed", async () => {
    const all = ["Weather", "Precipitation at least", "Highest temperature at least", "Lowest temperature at most", "Wind at least"];
    await add("Precipitation at least", ">=", "5");
    await addFilter().click();
    expect(await offeredFields()).toEqual(all.filter((field) => field !== "Precipitation at least"));
    await filterDialog().getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Remove filter Precipitation at least", exact: true }).click();
    await expect.element(page.getByRole("textbox", { name: "Precipitation at least", exact: true })).not.toBeInTheDocument();
    await addFilter().click();
    expect(await offeredFields()).toEqual(all);
    await filterDialog().getByRole("button", { name: "Cancel", exact: true }).click();
  });

  it("[SEARCH-41] enables Search only with the required filter, which neither a range nor another filter replaces", async () => {
    await expect.element(searchButton()).toBeDisabled();
    await expectText(hint(), required);
    await page.getByRole("button", { name: "Newest week", exact: true }).click();
    await add("Weather", "=", "snow");
    await location().fill("  ");
    await press("Enter");
    await expect.element(searchButton()).toBeDisabled();
    expect(searchRequests().searches).toEqual([]);
    await location().fill("Seattle");
    await expect.element(searchButton()).toBeEnabled();
    await expect.element(hint()).not.toBeInTheDocument();
    await page.getByRole("button", { name: "Clear time range" }).click();
    await page.getByRole("button", { name: "Remove filter Weather", exact: true }).click();
    await location().fill("");
  });

  it("[SEARCH-34] does not remove a required filter, neither here nor beside the results", async () => {
    await add("Weather", "=", "snow");
    await expect.element(page.getByRole("button", { name: "Remove filter Weather", exact: true })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Remove filter Location", exact: true })).not.toBeInTheDocument();
    await location().fill("Seattle");
    await searchButton().click();
    await expectRows("daily-weather");
    expect(searchRequests().searches[0]?.body).toEqual({
      paging: { offset: 0, max: 25 },
      filters: [
        { name: "location", value: "Seattle", operator: "=" },
        { name: "weather", value: "snow", operator: "=" },
      ],
    });
    const applied = page.getByRole("group", { name: "Filters applied" });
    await expect.element(applied.getByText("location = Seattle", { exact: true })).toBeVisible();
    await expect.element(applied.getByRole("button", { name: "Remove filter Weather", exact: true })).toBeVisible();
    await expect.element(applied.getByRole("button", { name: "Remove filter Location", exact: true })).not.toBeInTheDocument();
  });
});

describe("the form of a dataset that requires one of several filters", () => {
  openOnce(() => openForm(storms));
  const name = page.getByRole("textbox", { name: "Storm name", exact: true });
  const id = page.getByRole("textbox", { name: "Storm id", exact: true });
  const wind = page.getByRole("textbox", { name: "Wind at least", exact: true });
  const expectBlocked = async () => {
    await expect.element(searchButton()).toBeDisabled();
    await expectText(hint(), /^To perform a search, you must add one of the following filters: /);
  };
  const expectReady = async () => {
    await expect.element(searchButton()).toBeEnabled();
    await expect.element(hint()).not.toBeInTheDocument();
  };

  it("[SEARCH-43] names them in a hint", async () => {
    const literal = "To perform a search, you must add one of the following filters: Time range, Area, Storm id, Storm name";
    await expectText(hint(), literal);
    await expect.element(searchButton()).toHaveAccessibleDescription(literal);
  });

  it("[SEARCH-40] enables Search once one of them is set", async () => {
    await expectBlocked();
    // Other fields and blank values do not count, and Enter does not bypass this.
    await setField(wind, "100");
    await expectBlocked();
    await setField(name, "   ");
    await expectBlocked();
    await press("Enter", name);
    await press("Control+Enter");
    expect(searchRequests().searches).toEqual([]);
    for (const field of [name, id]) {
      await setField(field, "Katrina");
      await expectReady();
      await setField(field, "");
      await expectBlocked();
    }
    await page.getByRole("button", { name: "Newest month", exact: true }).click();
    await expectReady();
    await page.getByRole("button", { name: "Clear time range" }).click();
    await expectBlocked();
    // An added filter on a named column counts, too.
    await setField(wind, "");
    await add("name", "=", "Andrew");
    await expectReady();
    await page.getByRole("button", { name: "Remove filter name", exact: true }).click();
    await expectBlocked();
  });

  it("[SEARCH-39] allows several filters on any column with advanced filtering", async () => {
    const { schema } = demoDataset("storm-tracks").description;
    // Combined columns have no value of their own.
    const plainColumns = schema.columns.filter(({ combined }) => combined === null).map((column) => column.name);
    await add("wind", ">=", "100");
    await add("wind", "<", "140");
    await addFilter().click();
    expect(await offeredFields()).toEqual(plainColumns);
    await filterDialog().getByRole("button", { name: "Cancel", exact: true }).click();
    await setField(name, "Katrina");
    await searchButton().click();
    await expectRows("storm-tracks");
    expect(searchRequests().searches[0]?.body).toEqual({
      paging: { offset: 0, max: 25 },
      filters: [
        { name: "name", value: "Katrina", operator: "=" },
        { name: "wind", value: 100, operator: ">=" },
        { name: "wind", value: 140, operator: "<" },
      ],
    });
  });
});

it("asks for rows without a value, which is no value, and offers it for every field until one is entered", async () => {
  const requests = searchRequests();
  await openForm(storms);
  await addFilter().click();
  const dialog = filterDialog();
  const empty = dialog.getByRole("checkbox", { name: "Empty", exact: true });
  await expect.element(empty).not.toBeInTheDocument();
  await chooseField("wind");
  await setField(dialog.getByLabelText("Operator", { exact: true }), ">=");
  await empty.click();
  await expectTexts(dialog.getByLabelText("Operator", { exact: true }).getByRole("option"), ["=", "<>"]);
  await expect.element(empty).toHaveAccessibleDescription("Keeps rows without a value.");
  await expect.element(dialog.getByLabelText("Value", { exact: true })).toHaveValue("empty");
  await dialog.getByRole("button", { name: "Add filter", exact: true }).click();
  await page.getByRole("button", { name: "Edit filter wind", exact: true }).click();
  await setField(dialog.getByLabelText("Operator", { exact: true }), "<>");
  await expect.element(empty).toHaveAccessibleDescription("Keeps rows that have a value.");
  await dialog.getByRole("button", { name: "Save filter", exact: true }).click();
  await setField(page.getByRole("textbox", { name: "Storm name", exact: true }), "Katrina");
  await searchButton().click();
  await expectRows("storm-tracks");
  expect(requests.searches[0]?.body).toMatchObject({
    filters: [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "wind", value: null, operator: "<>" },
    ],
  });
  await expectText(page.getByRole("main"), /wind is not empty/);
});

it("[SEARCH-41] requires every one of several required filters", async () => {
  alterDescription(airports, (description) => ({
    ...description,
    filterSupport: {
      ...description.filterSupport,
      requiredOrFields: null,
      staticFilters: description.filterSupport.staticFilters.map((filter) => ({ ...filter, required: filter.name !== "iata" })),
    },
  }));
  await openForm(airports);
  await expect.element(searchButton()).toBeDisabled();
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Denver");
  await expect.element(searchButton()).toBeDisabled();
  await expect.element(hint()).toHaveTextContent("State");
  await expect.element(hint()).not.toHaveTextContent("City");
  await page.getByRole("textbox", { name: "State", exact: true }).fill("CO");
  await expect.element(searchButton()).toBeEnabled();
  await page.getByRole("textbox", { name: "City", exact: true }).fill(" ");
  await expect.element(searchButton()).toBeDisabled();
});
