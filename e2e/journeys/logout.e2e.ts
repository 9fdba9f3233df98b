import { expect, test } from "../support/fixtures.ts";
import { sample } from "../support/searches.ts";
import { downloadCookie, expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

test("[SESSION-14][SESSION-17] Logout ends the session in the browser and on the server, clears all stored data and shows Login, also after Back", async ({
  page,
  signIn,
}) => {
  const logOut = async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  };
  await signIn("editor");
  await page.goto("/search");
  await sample(page, "storm-tracks");
  const session = await storedSession(page);

  await test.step("the user's name comes from the access token and links to their profile", async () => {
    const [, payload = ""] = session?.access_token.split(".") ?? [];
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect(claims).toMatchObject({
      preferred_username: "editor",
      name: "Daniel Okafor",
      email: "daniel.okafor@fairway.example",
      roles: ["data-upload", "schema-edit"],
    });
    const profileLink = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Daniel Okafor", exact: true });
    await expect(profileLink).toHaveAttribute("href", "/user-profile");
  });

  await test.step("a logout ends the session everywhere", async () => {
    const [ended] = await Promise.all([page.waitForRequest("**/api/auth/logout"), logOut()]);
    expect(ended.method()).toBe("POST");
    expect(ended.postDataJSON()).toEqual({ refreshToken: session?.refresh_token });
    await expectLogin(page);
    await expect(page).toHaveURL("/login");
    expect(await storedSession(page)).toBeNull();
    expect(await downloadCookie(page)).toBeUndefined();
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("fairway.")))).toEqual([]);
    const refused = await page.request.post("/api/auth/refresh", { data: { refreshToken: session?.refresh_token } });
    expect(refused.status()).toBe(401);
  });

  await test.step("Back shows Login, and the next login finds no searches", async () => {
    await page.goBack();
    await expect(page).toHaveURL(/\/login\?redirect=/);
    await expectLogin(page);
    await logIn(page, "editor");
    await expectDatasets(page);
    await expect(page.getByRole("list", { name: /^Recent searches/ })).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Recently used" })).toHaveCount(0);
  });

  await test.step("a logout ends the session in the browser even if the gateway does not answer", async () => {
    await page.route("**/api/auth/logout", (route) => route.abort());
    await logOut();
    await expectLogin(page);
    expect(await storedSession(page)).toBeNull();
  });
});
