import { accessList } from "@fairway/contract/datasets";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { groupButton, groupsPath, visitGroups } from "../support/dataset-groups.ts";
import { airports, alterAnswer, earthquakes, flights, formOf, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

const hazards = { name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes] };
const travel = { name: "Travel", datasets: [airports, flights] };

/** As when an administrator closes a dataset to this user. */
const loseEarthquakes = (page: Page): Promise<void> =>
  alterAnswer(page, "/api/datasets", (answer) =>
    accessList.parse(answer).map(({ id, description, datasets }) => ({
      id,
      description,
      datasets: datasets.filter(({ datasetId }) => datasetId !== "earthquakes"),
    })),
  );

test("[GROUPING-02][GROUPING-05][GROUPING-06][GROUPING-07][GROUPING-15][PICKER-06][PICKER-07] a new group needs a name and two datasets; a header chooses all below it and is not sent", async ({
  page,
  request,
}) => {
  await visitGroups(page, request);
  await expect(page.getByText("No dataset groups yet.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "New Dataset Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  await expect(save).toBeDisabled();

  const header = dialog.getByRole("checkbox", { name: "Aviation", exact: true });
  // Pressed as slowly as people do: the name is left, and what is said of it must not move the box away before the click.
  await header.hover();
  await page.mouse.down();
  await expect(name).not.toBeFocused();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.mouse.up();
  await expect(dialog.getByText("The name is blank.").first()).toBeVisible();
  for (const dataset of ["airports", "flights", "bird-strikes"]) {
    await expect(dialog.getByRole("checkbox", { name: dataset, exact: true })).toBeChecked();
  }
  await expect(dialog.getByRole("checkbox", { name: "storm-tracks", exact: true })).not.toBeChecked();
  await name.fill("   ");
  await expect(save).toBeDisabled();
  await name.fill("Flying");
  await expect(save).toBeEnabled();
  await header.uncheck();
  await expect(dialog.getByText("Choose at least 2 datasets.", { exact: true })).toBeVisible();
  await expect(save).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "airports", exact: true }).check();
  await expect(save).toBeDisabled();
  // Half a category is chosen: its header then chooses the rest too.
  await expect(header).toBeChecked({ indeterminate: true });
  await header.check();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Planes and birds.");

  const [saved] = await Promise.all([
    page.waitForRequest((asked) => asked.method() === "POST" && asked.url().endsWith(groupsPath)),
    save.click(),
  ]);
  expect(saved.postDataJSON()).toEqual({
    name: "Flying",
    description: "Planes and birds.",
    datasets: ["airports", "bird-strikes", "flights"].map((datasetId) => ({ datasetCategory: "Aviation", datasetId })),
  });
  await expect(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(groupButton(page, "Flying")).toHaveAttribute("aria-pressed", "true");
  await expect(formOf(page, "Flying")).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the groups' tab in ${colorScheme}`, async ({ page, request }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await loseEarthquakes(page);
    await visitGroups(page, request, [hazards, travel]);
    const violations = () => axeViolations(page);
    await groupButton(page, "Travel").click();
    await expect(formOf(page, "Travel")).toBeVisible();
    expect(await violations()).toEqual([]);
    await page.getByRole("button", { name: "Edit Hazards" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Dataset Group" });
    await expect(dialog.getByText("1 dataset that you can no longer reach is left out.")).toBeVisible();
    expect(await violations()).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
    await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
    await searchButton(page).click();
    await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
    expect(await violations()).toEqual([]);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a group is made, searched and left again, and nothing scrolls sideways", async ({ page, request }) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await visitGroups(page, request, [travel]);
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
