import type { Page, Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { stopClock } from "../support/page-clock.ts";
import { expectRows, sample } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

const resultsPart = "**/assets/results-page-*.js";
const message = (page: Page) =>
  page.getByText("This part of the application could not be loaded. Reload the page to try again.", { exact: true });

/** Opens a dataset's form; Sample then needs the part that `handler` breaks. */
async function beforeResults(page: Page, handler: (route: Route) => unknown): Promise<{ loads: () => number }> {
  await page.route(resultsPart, handler);
  await page.goto("/search?category=Tropical+weather&dataset=storm-tracks");
  await expect(page.getByRole("button", { name: "Sample" })).toBeVisible();
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return { loads: () => loads };
}

test("[SHELL-43] a part of an older release makes the page reload once by itself, and then work", async ({ page, signIn }) => {
  await signIn();
  let broken = true;
  const { loads } = await beforeResults(page, (route) => (broken ? route.fulfill({ status: 404, body: "" }) : route.continue()));
  page.on("request", (request) => {
    if (request.isNavigationRequest()) broken = false;
  });
  await page.getByRole("button", { name: "Sample" }).click();
  await expectRows(page, "storm-tracks");
  expect(loads()).toBe(1);
});

test("[SHELL-43] a part that stays away is told of after one reload; Reload tries again and nothing is lost", async ({
  page,
  signIn,
  expectComplaints,
}) => {
  expectComplaints(/Failed to fetch dynamically imported module|could not be loaded|MIME type/);
  await signIn();
  const { loads } = await beforeResults(page, (route) => route.abort());
  await page.getByRole("button", { name: "Sample" }).click();
  await expect(message(page)).toBeVisible();
  expect(loads()).toBe(1);
  // What is around the part goes on.
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
  await expectDatasets(page);
  await page.goBack();
  await expect(message(page)).toBeVisible();
  expect(loads()).toBe(1);
  await page.unroute(resultsPart);
  await page.getByRole("main").getByRole("button", { name: "Reload" }).click();
  await expectRows(page, "storm-tracks");
});

test("a part is told of at once, without a reload, while the gateway does not answer", async ({ page, signIn, expectComplaints }) => {
  expectComplaints(/Failed to fetch dynamically imported module|could not be loaded/);
  await signIn();
  const { loads } = await beforeResults(page, (route) => route.abort());
  await page.route("**/api/health/live", (route) => route.abort());
  await page.getByRole("button", { name: "Sample" }).click();
  await expect(message(page)).toBeVisible();
  expect(loads()).toBe(0);
});

test("[SHELL-42][SHELL-43] a part that has not come within 120 s is told of", async ({ page, signIn, expectComplaints }) => {
  expectComplaints(/could not be loaded/);
  await page.clock.install();
  await signIn();
  const { loads } = await beforeResults(page, () => undefined);
  await stopClock(page);
  // The rows are asked for while the part is on its way.
  await Promise.all([page.waitForResponse("**/sample"), page.getByRole("button", { name: "Sample" }).click()]);
  await page.clock.runFor(119_000);
  await expect(message(page)).toHaveCount(0);
  await page.clock.runFor(1_100);
  await expect(message(page)).toBeVisible();
  expect(loads()).toBe(0);
});

test("a dialog that does not come is told of in a card, and the page around it stays", async ({ page, signIn, expectComplaints }) => {
  expectComplaints(/Failed to fetch dynamically imported module|could not be loaded/);
  await signIn();
  await page.route("**/assets/palette-*.js", (route) => route.abort());
  await page.goto("/search");
  await sample(page, "airports");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("alert")).toContainText("This part of the application could not be loaded. Reload the page to try again.");
  await expectRows(page, "airports");
});
