import { columnValues } from "@fairway/contract/column-values";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { earthquakes, industries, openForm, searchButton, storms } from "#testing/datasets-screen.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { fewRows, openResults, searches } from "#testing/results.ts";

beforeEach(() => {
  skipPauses(250);
});

const bar = () => page.getByRole("combobox", { name: "Type a filter", exact: true });
const options = () => page.getByRole("listbox").getByRole("option");
const problem = () => page.getByRole("alert");
const applied = () => page.getByRole("group", { name: "Filters applied" });

it("words a problem under the field and keeps the text, and adds what was typed when the field is left", async () => {
  await openForm(storms);
  await type("wnd >= 64", bar());
  await press("Enter");
  await expect.element(problem()).toHaveTextContent("There is no column wnd. Did you mean wind?");
  await expect.element(bar()).toHaveValue("wnd >= 64");
  await expect.element(bar()).toHaveAttribute("aria-invalid", "true");
  await expect.element(bar()).toHaveAccessibleDescription("There is no column wnd. Did you mean wind?");
  await expectAccessible();
  await bar().fill("wind >= 4,5");
  await expect.element(problem()).not.toBeInTheDocument();
  await press("Enter");
  await expect.element(problem()).toHaveTextContent(/^'4,5' is not .* Write decimals with a point/);
  await press("Escape");
  await expect.element(problem()).not.toBeInTheDocument();
  await bar().fill("wind >= 64");
  await page.getByRole("textbox", { name: "Storm name", exact: true }).click();
  await expect.element(page.getByRole("textbox", { name: "Wind at least", exact: true })).toHaveValue("64");
  await expect.element(bar()).toHaveValue("");
});

it("adds nothing for a typed list or for alternatives, says why, and takes the text in quotes", async () => {
  await openResults(fewRows);
  const before = searches().length;
  await type("status <> hurricane, tropical storm", bar());
  await press("Enter");
  await expect
    .element(problem())
    .toHaveTextContent(
      'A filter has one value, not a list. Type status <> hurricane and status <> tropical storm, or status <> "hurricane, tropical storm" for that text.',
    );
  await expect.element(bar()).toHaveValue("status <> hurricane, tropical storm");
  await bar().fill("name = Rita or wind > 100");
  await press("Enter");
  await expect.element(problem()).toHaveTextContent(`Filters can't be joined with "or": all of them apply.`);
  expect(searches()).toHaveLength(before);
  await bar().fill('status <> "hurricane, tropical storm"');
  await press("Enter");
  await expect
    .element(applied().getByRole("button", { name: "Edit filter status <> hurricane, tropical storm", exact: true }))
    .toBeVisible();
  expect(searches()).toHaveLength(before + 1);
});

it("adds a text that reads like a list if rows have it", async () => {
  await openResults(fewRows);
  gateway.answer(columnValues.suggest, ({ body }) => ({
    values: body.contains === "Smith, John" ? [{ value: "Smith, John", rows: 2 }] : [],
    complete: true,
  }));
  await type("name <> Smith, John", bar());
  await press("Enter");
  await expect.element(applied().getByRole("button", { name: "Edit filter name <> Smith, John", exact: true })).toBeVisible();
  await type("name <> Smith, Joan", bar());
  await press("Enter");
  await expect.element(problem()).toHaveTextContent("A filter has one value, not a list.");
});

it("counts no rows of values that come from a part of the rows, and says so", async () => {
  gateway.answer(columnValues.suggest, () => ({ values: [{ value: "Katrina", rows: 57 }], complete: false }));
  await openForm(storms);
  await type("name = ", bar());
  await expectTexts(options(), ["Katrina"]);
  await expect.element(page.getByText("Values from a part of the rows, without counts", { exact: true })).toBeVisible();
  await bar().fill("");
  await press("Escape");
  await page.getByRole("textbox", { name: "Storm name", exact: true }).click();
  await expectTexts(options(), ["Katrina"]);
  await expect.element(page.getByText("Values from a part of the rows, without counts", { exact: true })).toBeVisible();
});

it("never goes on in the last filter with a Backspace too many, a held one, or after the field was left", async () => {
  await openResults(fewRows);
  await type("wi", bar());
  await press("Backspace");
  await press("Backspace");
  await press("Backspace");
  await expect.element(bar()).toHaveValue("");
  await expect.element(bar()).toHaveAccessibleDescription("Backspace again changes wind >= 140.");
  await expectAccessible();
  await type("st", bar());
  await expect.element(bar()).toHaveValue("st");
  await press("Backspace");
  await press("Backspace");
  await press("Backspace");
  await press("Backspace");
  await expect.element(bar()).toHaveValue("wind >= 140");
  await focus(page.getByRole("button", { name: "Actions", exact: true }));
  await expect.element(bar()).toHaveValue("");
  await type("w", bar());
  await userEvent.keyboard("{Backspace>4/}");
  await expect.element(bar()).toHaveValue("");
  await expect.element(bar()).not.toHaveAccessibleDescription();
  await type("status = hurricane", bar());
  await press("Enter");
  await expect.element(applied().getByRole("button", { name: "Edit filter status = hurricane", exact: true })).toBeVisible();
  expect(searches().at(-1)?.filters).toEqual([
    { name: "name", value: "Katrina", operator: "=" },
    { name: "wind", value: 140, operator: ">=" },
    { name: "status", value: "hurricane", operator: "=" },
  ]);
});

it("suggests values among the rows of all other filters, also of those typed before in the same text", async () => {
  const bodies = () => gateway.received(columnValues.suggest).map(({ body }) => body.filters);
  await openForm(storms);
  await bar().fill("wind >= 64, name <> ");
  await expect.poll(() => bodies().at(-1)).toEqual([{ name: "wind", operator: ">=", value: 64 }]);
  await bar().fill("wind >= 64 or status = tropical and name <> ");
  await expect.poll(() => bodies().at(-1)).toEqual([{ name: "status", operator: "=", value: "tropical" }]);
  await bar().fill("wind >= 64");
  await press("Enter");
  await bar().fill("name = B");
  await expect.poll(() => bodies().at(-1)).toEqual([{ name: "wind", operator: ">=", value: 64 }]);
  // A filter that is being changed does not narrow its own values.
  await bar().fill("name = Katrina");
  await press("Enter");
  await press("Backspace");
  await expect.element(bar()).toHaveValue("wind >= 64");
  await bar().fill("wind >= 6");
  await expect
    .poll(() => gateway.received(columnValues.suggest).at(-1)?.body)
    .toEqual({ contains: "6", filters: [{ name: "name", operator: "=", value: "Katrina" }] });
});

it("offers without advanced filtering only the dataset's own filters, and no values where the dataset suggests none", async () => {
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 1) }));
  await openForm(industries);
  await bar().click();
  const { filterSupport } = demoDataset("industry-unemployment").description;
  const names = [...filterSupport.staticFilters, ...filterSupport.additionalFilters].map(({ name }) => name);
  await expect
    .poll(() =>
      options()
        .elements()
        .map((one) => one.firstElementChild?.textContent),
    )
    .toEqual([...new Set(names)]);
  await bar().fill("nothing = 1");
  await press("Enter");
  await expect.element(problem()).toHaveTextContent("There is no column nothing.");
  await bar().fill("");
  await openForm(earthquakes);
  gateway.refuse(columnValues.suggest, "engine-busy", "Busy.");
  await type("type = ", bar());
  await expect.poll(() => gateway.received(columnValues.suggest).length).toBeGreaterThan(0);
  await expect.element(options()).not.toBeInTheDocument();
});

it("on a phone, what the field says is above the footer of the form, not over it", async () => {
  await page.viewport(390, 844);
  await openForm(storms);
  const footer = () => searchButton().element().closest("footer")?.getBoundingClientRect().top ?? 0;
  // The field lies at the end of the visible part of the form.
  bar().element().scrollIntoView({ block: "end" });
  await bar().fill("name <> Katrina, Rita");
  await press("Escape", bar());
  await press("Enter", bar());
  await expect.element(problem()).toBeVisible();
  await expect.poll(() => footer() - problem().element().getBoundingClientRect().bottom).toBeGreaterThan(0);
});

it("in the results, one Enter is one search, Backspace takes the last filter back", async () => {
  await openResults(fewRows);
  const before = searches().length;
  await type("status = hurricane, pressure < 905", bar());
  await press("Enter");
  await expect.element(applied().getByRole("button", { name: "Edit filter pressure < 905", exact: true })).toBeVisible();
  expect(searches()).toHaveLength(before + 1);
  expect(searches().at(-1)?.filters).toEqual([
    { name: "name", value: "Katrina", operator: "=" },
    { name: "wind", value: 140, operator: ">=" },
    { name: "status", value: "hurricane", operator: "=" },
    { name: "pressure", value: 905, operator: "<" },
  ]);
  await press("Backspace", bar());
  await expect.element(bar()).toHaveValue("pressure < 905");
  await expect.element(bar()).toHaveAccessibleDescription("Changes pressure < 905. Escape keeps it as it is.");
  await press("Escape");
  await expect.element(bar()).toHaveValue("");
  await press("Backspace");
  await bar().fill("pressure < 910");
  await press("Enter");
  await expect.element(applied().getByRole("button", { name: "Edit filter pressure < 910", exact: true })).toBeVisible();
  await expect.element(applied().getByRole("button", { name: "Edit filter pressure < 905", exact: true })).not.toBeInTheDocument();
  await press("Backspace", bar());
  await bar().fill("");
  await press("Enter");
  await expect.element(applied().getByRole("button", { name: /pressure/ })).not.toBeInTheDocument();
  expect(searches()).toHaveLength(before + 3);
  expect(searches().at(-1)?.filters).toHaveLength(3);
});

it("suggests values as soon as an engine that was too busy to say any can", async () => {
  let answers = 0;
  gateway.answer(columnValues.suggest, () => {
    answers++;
    return answers === 1 ? { values: [], complete: false } : { values: [{ value: "hurricane", rows: 57 }], complete: true };
  });
  await openResults(fewRows);
  await type("status = hurr", bar());
  await expect.element(options().first(), { timeout: 10_000 }).toHaveTextContent(/^hurricane/);
});

it("asks for values again when a text is typed anew after answers that said nothing", async () => {
  const asked = () => gateway.received(columnValues.suggest).filter(({ body }) => body.contains === "hurr").length;
  gateway.answer(columnValues.suggest, { values: [], complete: false });
  await openResults(fewRows);
  await type("status = hurr", bar());
  await expect.poll(asked, { timeout: 15_000 }).toBe(4);
  gateway.answer(columnValues.suggest, { values: [{ value: "hurricane", rows: 57 }], complete: true });
  await bar().fill("");
  await type("status = hurr", bar());
  await expect.element(options().first()).toHaveTextContent(/^hurricane/);
});
