import { demoPassword } from "@fairway/contract/api";
import { expect, type Request, test } from "@playwright/test";
import { loginStatus } from "../support/own-account.ts";
import { katrina, searchLink } from "../support/results.ts";
import { expectRows } from "../support/searches.ts";
import { describeJourney } from "../support/shared-page.ts";
import { downloadCookie, expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

const publicCalls = /^\/api\/(auth\/|ui\/config$|static\/settings\.json$|health\/)/;
const requested = searchLink(katrina);

describeJourney("from Login to the requested page", { colorScheme: "dark" }, (pageOfAll) => {
  test("[ROUTE-02][ROUTE-45] without a sign-in every URL leads to Login, which shows nothing of the application", async ({ request }) => {
    const page = pageOfAll();
    await page.goto("/");
    await expectLogin(page);
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("navigation")).toHaveCount(0);
    // The theme follows the system.
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    // All others are the same page, apart from its nonce.
    const pageAt = async (path: string) => (await (await request.get(path)).text()).replaceAll(/nonce="[^"]*"/g, "");
    const application = await pageAt("/");
    expect(application).toContain('<div id="root"></div>');
    for (const path of ["/search", "/datasets", "/search/some-search", "/user-profile", "/no/such/place"]) {
      expect(await pageAt(path), path).toBe(application);
    }
  });

  test("[SHELL-39][SHELL-41] Login has no banner, and the product's name as its title", async () => {
    const page = pageOfAll();
    await expect(page).toHaveTitle("Fairway");
    await expect(page.getByRole("note")).toHaveCount(0);
  });

  test("[LOGIN-06][API-03] the requested page opens after the login, with its path and fragment; all calls carry the token that the login returned", async () => {
    const page = pageOfAll();
    const calls: Request[] = [];
    page.on("request", (call) => {
      // The application also fetches its own code.
      const isOwnFile = new URL(call.url()).pathname.startsWith("/assets/");
      if (["fetch", "xhr"].includes(call.resourceType()) && !isOwnFile) calls.push(call);
    });

    await test.step("wrong credentials show an error and stay on Login", async () => {
      await page.goto(requested);
      for (const username of ["viewer", "nobody-of-that-name"]) {
        await expectLogin(page);
        await logIn(page, username, "not-it");
        await expect(page.getByRole("button", { name: "Login", exact: true })).toBeEnabled();
        await expect(page.getByRole("alert")).toHaveText("Invalid username or password. Please try again.");
      }
      expect(await storedSession(page)).toBeNull();
      expect(await downloadCookie(page)).toBeUndefined();
    });

    const before = Date.now() / 1000;
    await test.step("right ones open the page", async () => {
      const [login] = await Promise.all([page.waitForRequest("**/api/auth/login"), logIn(page, "viewer")]);
      expect(login.method()).toBe("POST");
      expect(login.postDataJSON()).toEqual({ username: "viewer", password: demoPassword });
      await expectRows(page, katrina.dataset);
      await expect(page).toHaveURL(requested);
    });

    const session = await storedSession(page);
    await test.step("the token is kept in session storage, and in a cookie named JWT for its lifetime", async () => {
      expect(session).toMatchObject({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.stringMatching(/.{20}/),
        token_type: "Bearer",
        expires_in: 1800,
      });
      const cookie = await downloadCookie(page);
      expect(cookie?.value).toBe(session?.access_token);
      expect(cookie?.path).toBe("/api");
      expect(cookie?.sameSite).toBe("Strict");
      expect(cookie?.expires).toBeGreaterThan(before + 1790);
      expect(cookie?.expires).toBeLessThan(Date.now() / 1000 + 1801);
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(session?.refresh_token ?? "?");
    });

    await test.step("every call goes to /api, with the token unless it is public", () => {
      const paths = calls.map((call) => new URL(call.url()).pathname);
      expect(paths.filter((path) => !path.startsWith("/api/"))).toEqual([]);
      const guarded = calls.filter((call) => !publicCalls.test(new URL(call.url()).pathname));
      expect(guarded.length).toBeGreaterThan(3);
      for (const call of guarded) expect(call.headers()["authorization"]).toBe(`Bearer ${session?.access_token}`);
    });
  });

  test("[SHELL-39][SHELL-41] a screen has no banner, and a title that ends with the product's name", async () => {
    const page = pageOfAll();
    await expect(page).toHaveTitle(/Fairway$/);
    await expect(page.getByRole("note")).toHaveCount(0);
  });

  test("[ROUTE-47] a signed-in user who opens /login is redirected to the datasets, which keep the chosen theme and the hidden panel", async () => {
    const page = pageOfAll();
    const panel = page.getByRole("navigation", { name: "Search", exact: true });
    await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitemradio", { name: "Light" }).click();
    await panel.getByRole("button", { name: "Hide panel" }).click();
    await expect(panel).toHaveCount(0);
    await page.goto("/login");
    await expectDatasets(page);
    await expect(page).toHaveURL("/search");
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "light");
    await expect(panel).toHaveCount(0);
  });
});

test("every demo account can sign in", async ({ request }) => {
  for (const username of ["admin", "editor", "developer", "viewer"]) {
    expect(await loginStatus(request, { username, password: demoPassword }), username).toBe(200);
  }
});
