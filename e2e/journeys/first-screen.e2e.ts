import { expect, test } from "../support/fixtures.ts";
import { grid } from "../support/results.ts";

test("from the first screen, three ready questions are answered on the map, as a graph and in the table, by keyboard and on a phone", async ({
  page,
  signIn,
}) => {
  await signIn("viewer");
  await page.goto("/search");
  await expect(page.getByRole("heading", { name: "Fairway searches, maps and charts your team’s data in one place." })).toBeVisible();
  const questions = page.getByRole("region", { name: "Questions to try" });
  const question = (name: string) => questions.getByRole("button", { name });

  await test.step("on the map", async () => {
    await expect(question("Hurricanes of 2005 on the map")).toContainText("179 rows in storm-tracks");
    await question("Hurricanes of 2005 on the map").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("grid", { name: "Items" }).getByText("Katrina")).toBeVisible();
  });

  await test.step("as a graph", async () => {
    await page.goto("/search");
    await question("Flights delayed over an hour").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Flights delayed over an hour, by day" })).toBeVisible();
    await expect(page.getByRole("img", { name: /^Flights delayed over an hour, by day\. Bar graph of / })).toBeVisible();
  });

  await test.step("in the table, on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/search");
    await question("Quakes above magnitude 5").click();
    await expect(grid(page).getByRole("row").nth(1)).toBeVisible();
    await expect(page.getByText(/of 35 results/)).toBeVisible();
  });

  await test.step("what was used is offered again", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/search");
    const used = page.getByRole("region", { name: "Recently used" }).getByRole("link");
    await expect(used).toHaveCount(3);
    await used.filter({ hasText: "earthquakes" }).click();
    await expect(grid(page).getByRole("row").nth(1)).toBeVisible();
  });
});
