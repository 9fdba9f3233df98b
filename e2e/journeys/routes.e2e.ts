import { expect, test } from "../support/fixtures.ts";
import { expectRows, sample } from "../support/searches.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

const datasetPage = "/search?category=Tropical+weather&dataset=storm-tracks";

test("[ROUTE-02][ROUTE-45][ROUTE-46][ROUTE-47][LOGIN-06] without a sign-in every URL leads to Login and back, and signed-in users skip Login", async ({
  page,
  browser,
}) => {
  await test.step("nothing of the application is shown before Login", async () => {
    for (const path of ["/login", "/", "/search", "/datasets", "/search/some-search", "/user-profile", "/no/such/place"]) {
      await page.goto(path);
      await expectLogin(page);
      expect(new URL(page.url()).pathname).toBe("/login");
      await expect(page.getByRole("navigation")).toHaveCount(0);
    }
  });

  await test.step("the requested URL with its query opens after the login, even after a wrong password", async () => {
    await page.goto(datasetPage);
    await expectLogin(page);
    await logIn(page, "viewer", "not-it");
    await expect(page.getByRole("alert")).toBeVisible();
    await logIn(page, "viewer");
    await expect(page).toHaveURL(datasetPage);
    await expect(page.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
  });

  await test.step("a signed-in user who opens /login is redirected to the datasets", async () => {
    await page.goto("/login");
    await expect(page).toHaveURL("/search");
    await expectDatasets(page);
  });

  await test.step("a shared search opens for another user after the login, with its path, query and fragment", async () => {
    await sample(page, "storm-tracks");
    const shared = page.url();
    const guest = await browser.newContext();
    const guestPage = await guest.newPage();
    await guestPage.goto(shared);
    await expectLogin(guestPage);
    await logIn(guestPage, "editor");
    await expectRows(guestPage, "storm-tracks");
    await expect(guestPage).toHaveURL(shared);
    await guest.close();
  });
});
