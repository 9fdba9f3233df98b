import { expect, test } from "../support/fixtures.ts";
import { adminHeaders } from "../support/own-account.ts";
import { grid } from "../support/results.ts";

const stormProfile = "/datasets/Tropical%20weather/storm-tracks/profile";

test("from the first screen, three ready questions are answered on the map, as a graph and in the table, by keyboard and on a phone", async ({
  page,
  request,
  signIn,
}) => {
  // Its steps wait for much that a busy machine computes after its start.
  test.slow();
  // Pictures come from profiles, of which a portal computes those that are asked for first.
  const headers = await adminHeaders(request);
  expect((await request.post("/api/admin/datasets/internal/storm-tracks/profile", { headers })).ok()).toBe(true);
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

  await test.step("recent searches are offered again, with the rows that are new since then, by keyboard", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => page.evaluate(() => localStorage.getItem("fairway.user.seen"))).toContain("newestMs");
    // As if the last two days of the data had arrived since.
    await page.evaluate(() => {
      const seen = JSON.parse(localStorage.getItem("fairway.user.seen") ?? "{}") as { state: Record<string, { newestMs: number }> };
      for (const one of Object.values(seen.state)) one.newestMs -= 2 * 86_400_000;
      localStorage.setItem("fairway.user.seen", JSON.stringify(seen));
    });
    await page.goto("/search");
    const used = page.getByRole("region", { name: "Recently used" }).getByRole("link");
    await expect(used).toHaveCount(3);
    const quakes = used.filter({ hasText: "earthquakes" });
    await expect(quakes).toHaveAccessibleName(/ \d+ new rows since your last run /);
    await quakes.focus();
    await page.keyboard.press("Enter");
    await expect(grid(page).getByRole("row").nth(1)).toBeVisible();
    await expect(page.getByText(/^\d+ new rows since /)).toBeVisible();
  });

  await test.step("pictures come by one call, and an area starts where the data is, also on a phone", async () => {
    const card = page.getByRole("region", { name: "Tropical weather" }).getByRole("button", { name: /^storm-tracks/ });
    const pictures: string[] = [];
    page.on("request", (request) => void (/api.*thumbnail/.test(request.url()) && pictures.push(new URL(request.url()).pathname)));
    const profile = async () => ((await (await request.get(`/api${stormProfile}`, { headers })).json()) as { state: string }).state;
    await expect.poll(profile, { timeout: 90_000 }).toBe("done");
    // Otherwise another journey that changes a dataset has them read again.
    await page.route("**/api/live", () => undefined);
    await page.goto("/search");
    await expect(card.locator("svg path").first()).toBeVisible();
    expect(pictures).toEqual(["/api/datasets/thumbnails"]);
    await card.click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: /^Area:/ }).click();
    const map = page.getByRole("application", { name: "Map of the world" });
    await expect(map).toHaveAttribute("data-ready", "true");
    const { x = 0, y = 0, width = 0, height = 0 } = (await map.boundingBox()) ?? {};
    for (const [across, down] of [
      [0.4, 0.4],
      [0.6, 0.4],
      [0.5, 0.6],
    ] as const)
      await page.mouse.click(x + width * across, y + height * down);
    await page.keyboard.press("Enter");
    // The middle of the Atlantic; of the world, it is on the equator's side at 0°.
    await expect(page.getByText(/^around [23]\d(\.\d)?° N, [4-7]\d(\.\d)?° W$/)).toBeVisible();
  });
});
