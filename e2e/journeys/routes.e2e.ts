import { expect, test } from "../support/fixtures.ts";
import { expectRows, sample } from "../support/searches.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

const aDataset = "/search?category=Tropical+weather&dataset=storm-tracks";

test("[ROUTE-02] /login is the Login screen", async ({ page }) => {
  await page.goto("/login");
  await expectLogin(page);
  expect(new URL(page.url()).pathname).toBe("/login");
});

test("[ROUTE-45] without a sign-in every address leads to Login, and nothing of the application is shown on the way", async ({ page }) => {
  for (const path of ["/", "/search", "/datasets", "/search/some-search", "/user-profile", "/no/such/place"]) {
    await page.goto(path);
    await expectLogin(page);
    await expect(page.getByRole("navigation")).toHaveCount(0);
  }
});

test("[ROUTE-46][LOGIN-06] the address that a guest wanted opens after the login, with its parameters, query and fragment", async ({
  page,
  signIn,
  browser,
}) => {
  await signIn();
  await page.goto("/search");
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

test("[ROUTE-46] a wanted query comes back after the login, also after a wrong password", async ({ page }) => {
  await page.goto(aDataset);
  await expectLogin(page);
  await logIn(page, "viewer", "not-it");
  await expect(page.getByRole("alert")).toBeVisible();
  await logIn(page, "viewer");
  await expect(page).toHaveURL(aDataset);
  await expect(page.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
});

test("Login leads on to this portal only", async ({ page, baseURL }) => {
  for (const elsewhere of ["//example.org/search", "https://example.org/", "/login"]) {
    await page.goto(`/login?redirect=${encodeURIComponent(elsewhere)}`);
    await logIn(page, "viewer");
    await expectDatasets(page);
    expect(page.url()).toBe(`${baseURL}/search`);
    await page.evaluate(() => sessionStorage.clear());
  }
});

test("[ROUTE-47] a signed-in person who opens /login is sent to the datasets", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  await page.goto("/login");
  await expect(page).toHaveURL("/search");
  await expectDatasets(page);
});
