import { axeViolations } from "../support/accessibility.ts";
import { groupButton, visitGroups } from "../support/dataset-groups.ts";
import { airports, flights, formOf, searchButton } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

test("[GROUPING-05][GROUPING-16][GROUPING-18][SEARCH-63] a user creates, searches, edits and deletes a dataset group; one without a searchable field is refused, and axe finds no violations", async ({
  page,
  request,
}) => {
  await visitGroups(page, request);
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  await test.step("the gateway refuses a group with a dataset without a required field", async () => {
    await page.getByRole("button", { name: "New Dataset Group" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Flying");
    await dialog.getByRole("checkbox", { name: "flights", exact: true }).check();
    await dialog.getByRole("checkbox", { name: "country-development", exact: true }).check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    const failure = page.getByRole("dialog", { name: "Save Failed" });
    await expect(
      failure.getByText("The dataset 'country-development' in 'People & economy' has no required field to search on."),
    ).toBeVisible();
    await page.keyboard.press("Escape");
  });
  await test.step("saves and searches it", async () => {
    await dialog.getByRole("checkbox", { name: "country-development", exact: true }).uncheck();
    await dialog.getByRole("checkbox", { name: "airports", exact: true }).check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(formOf(page, "Flying")).toBeVisible();
    await expect(page.getByText("Dataset Group Saved", { exact: true })).toHaveCount(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
    await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
    await searchButton(page).click();
    await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
    await expect(page.getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
    await expect(page.getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  });
  await test.step("edits it after a page load, and deletes it", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/search?tab=groups");
    await page.getByRole("button", { name: "Edit Flying" }).click();
    const editing = page.getByRole("dialog", { name: "Edit Dataset Group" });
    await editing.getByRole("checkbox", { name: "bird-strikes", exact: true }).check();
    expect(await axeViolations(page)).toEqual([]);
    await editing.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("button", { name: "Flying 3 datasets" })).toBeVisible();
    await page.getByRole("button", { name: "Delete Flying" }).click();
    await page.getByRole("dialog", { name: "Delete Dataset Group?" }).getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText("Dataset Group Deleted", { exact: true })).toBeVisible();
    await expect(groupButton(page, "Flying")).toHaveCount(0);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a group can be searched and edited without horizontal scrolling", async ({ page, request }) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await visitGroups(page, request, [{ name: "Travel", datasets: [airports, flights] }]);
    expect(await overflow()).toBe(0);
    await groupButton(page, "Travel").tap();
    await expect(formOf(page, "Travel")).toBeVisible();
    expect(await overflow()).toBe(0);
    await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
    await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
    await searchButton(page).tap();
    await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
    expect(await overflow()).toBe(0);
    await page.getByRole("button", { name: "Dataset group: Travel" }).tap();
    await page.getByRole("button", { name: "Edit Travel" }).tap();
    await expect(page.getByRole("dialog", { name: "Edit Dataset Group" })).toBeVisible();
    expect(await overflow()).toBe(0);
  });
});
