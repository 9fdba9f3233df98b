import { expect, test } from "../support/fixtures.ts";
import { grid } from "../support/results.ts";

test("the tour leads from the first screen to the rows of a ready question, by keyboard and on a phone", async ({ page, signIn }) => {
  await signIn("viewer");
  await page.goto("/search");
  const step = (name: string) => page.getByRole("dialog", { name });

  await test.step("by keyboard", async () => {
    await page.getByRole("button", { name: "Take the tour" }).focus();
    await page.keyboard.press("Enter");
    await expect(step("Choose a dataset")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(grid(page).getByRole("row").nth(1)).toBeVisible();
    for (const name of ["Map, graphs and raw", "Keep, share, export", "Find everything"]) {
      await page.keyboard.press("ArrowRight");
      await expect(step(name)).toBeVisible();
    }
    await expect(step("Find everything")).toContainText("6 of 6");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(grid(page).getByRole("row").nth(1)).toBeVisible();
  });

  await test.step("on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/search");
    await page.getByRole("button", { name: "Take the tour" }).click();
    for (const name of ["Choose a dataset", "Say what to look for", "Read the rows", "Map, graphs and raw", "Keep, share, export"]) {
      await step(name).getByRole("button", { name: "Next" }).click();
    }
    await expect(step("Find everything")).toBeInViewport({ ratio: 1 });
    await step("Find everything").getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
