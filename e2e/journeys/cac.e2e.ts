import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns, createAccount, requirePasswordChange } from "../support/accounts.ts";
import { startLink, cacStatus, cardRequest, confirmLink, linkCard, newCard, showCard } from "../support/cards.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, expectLogin, storedSession, visitAs } from "../support/sign-in.ts";

const cannotLogIn = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";

const anything = (): unknown => expect.any(String);
const secret = (): unknown => expect.stringMatching(/^[\w-]{43}$/);

/** Matches a URL without query and fragment, so without anything from the issuer. */
const plainUrl = (path: string) => new RegExp(`^[^?#]+${path}$`);

test("[SHELL-27][ROUTE-05][CAC-01][CAC-03][CAC-04][CAC-05][CAC-06][CAC-07][CAC-08][CAC-09] a user links a card with its issuer and the password, and unlinks it", async ({
  page,
}) => {
  const account = await createAccount();
  await visitAs(page, account.username, account.password);
  await page.goto("/user-profile");
  await page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "Manage CAC" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Manage CAC" })).toBeVisible();
  await expect(cacStatus(page)).toHaveText("Not linked");
  await expect(page.getByRole("button", { name: "Unlink" })).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);

  const requested = cardRequest(page);
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const { searchParams } = new URL((await requested).url());
  const { origin } = new URL(test.info().project.use.baseURL ?? "");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: "fairway-demo",
    redirect_uri: `${origin}/manage-cac`,
    response_type: "code",
    domain: "DefaultDomain",
    scope: "UserProfile.me",
  });
  await showCard(page, newCard());
  await expect(page).toHaveURL(plainUrl("/manage-cac"));
  const dialog = page.getByRole("dialog", { name: "Confirm Your Password" });
  await expect(dialog).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  // A mistyped password does not use up the card's code.
  await confirmLink(page, "mistyped");
  await expect(dialog.getByRole("alert")).toHaveText("Unable to Link CACThe password is not correct.");
  const sent = page.waitForRequest("**/api/geoAxis/linkCac");
  await confirmLink(page, account.password);
  expect((await sent).postDataJSON()).toEqual({
    password: account.password,
    code: anything(),
    codeVerifier: anything(),
    redirectUri: `${origin}/manage-cac`,
  });
  await expect(cacStatus(page)).toHaveText("Linked");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/^Linked \d\d-\d\d-\d{4}, \d{1,2}:\d\d:\d\d (am|pm)$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Link", exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: "Unlink" }).click();
  const unlinked = page.waitForRequest((request) => request.method() === "DELETE" && request.url().endsWith("/api/geoAxis/unlinkCac"));
  await page.getByRole("dialog", { name: "Unlink CAC?" }).getByRole("button", { name: "Unlink" }).click();
  await unlinked;
  await expect(cacStatus(page)).toHaveText("Not linked");
  await page.reload();
  await expect(cacStatus(page)).toHaveText("Not linked");
});

test("[CAC-10][LOGIN-13][LOGIN-14][LOGIN-15][LOGIN-16][LOGIN-17][LOGIN-18] a linked card logs in and returns to the requested page; another card does not, and no other user can link it", async ({
  page,
  browser,
}) => {
  const account = await createAccount();
  const card = newCard();
  await visitAs(page, account.username, account.password);
  await linkCard(page, card, account.password);

  await test.step("no other user can link the card", async () => {
    const second = await createAccount();
    const other = await browser.newPage();
    await visitAs(other, second.username, second.password);
    await startLink(other, card);
    await confirmLink(other, second.password);
    const failure = other.getByRole("alert").filter({ hasText: "Unable to Link CAC" });
    await expect(failure).toContainText("This CAC is linked to another account.");
    await expect(cacStatus(other)).toHaveText("Not linked");
    await expect(other.getByRole("dialog")).toHaveCount(0);
    await other.close();
  });

  await page.evaluate(() => sessionStorage.clear());
  await page.goto("/keys");
  await expectLogin(page);
  const link = page.getByRole("link", { name: "CAC Login" });
  await expect(link).toHaveAttribute(
    "href",
    /[?&]client_id=fairway-demo&redirect_uri=.*&response_type=code&domain=DefaultDomain&scope=UserProfile\.me&/,
  );
  await test.step("an unsolicited or missing code shows an error on Login", async () => {
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/geoAxis/")) calls.push(request.url());
    });
    const expectFailure = async () => {
      await expectLogin(page);
      await expect(page.getByRole("alert")).toHaveText(`Unable to Login${cannotLogIn}`);
      await expect(page).toHaveURL(/\/login\?redirect=%2Fkeys$/);
    };
    await page.goto("/login?code=somebody-elses&state=guessed&redirect=%2Fkeys");
    await expectFailure();
    await link.click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expectFailure();
    await expect(page.getByRole("textbox", { name: "Username" })).toBeFocused();
    expect(calls).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
  });

  await link.click();
  await showCard(page, newCard());
  await expect(page.getByRole("alert")).toHaveText(`Unable to Login${cannotLogIn}`);
  await expect(page.getByRole("textbox", { name: "Username" })).toBeFocused();
  await expectLogin(page);

  const requested = cardRequest(page);
  await link.click();
  const request = new URL((await requested).url());
  const { origin } = new URL(test.info().project.use.baseURL ?? "");
  expect(Object.fromEntries(request.searchParams)).toEqual({
    client_id: "fairway-demo",
    redirect_uri: `${origin}/login`,
    response_type: "code",
    domain: "DefaultDomain",
    scope: "UserProfile.me",
    state: secret(),
    nonce: secret(),
    code_challenge: secret(),
    code_challenge_method: "S256",
  });
  const loginRequest = page.waitForRequest("**/api/geoAxis/cacLogin");
  const redirect = page.waitForRequest((sent) => new URL(sent.url()).pathname === "/login" && new URL(sent.url()).searchParams.has("code"));
  await showCard(page, card);
  const code = new URL((await redirect).url()).searchParams.get("code");
  expect((await loginRequest).postDataJSON()).toMatchObject({ code, redirectUri: `${origin}/login` });
  await expect(page.getByRole("heading", { level: 1, name: "API Keys" })).toBeVisible();
  await expect(page).toHaveURL(plainUrl("/keys"));
});

test("a linked card confirms the user's identity long after the sign-in, and the form keeps what was typed", async ({ page }) => {
  const account = await createAccount();
  const card = newCard();
  await visitAs(page, account.username, account.password);
  await linkCard(page, card, account.password);
  await ageSignIns(account);
  await page.goto("/keys");
  const editor = page.getByRole("dialog", { name: "Create Key" });
  await page.getByRole("button", { name: "Create Key" }).click();
  await editor.getByRole("textbox", { name: "Name" }).fill("Nightly");
  await editor.getByRole("checkbox", { name: "airports" }).check();
  const confirmation = page.getByRole("dialog", { name: "Confirm It Is You" });
  const confirmByCard = async () => {
    await editor.getByRole("button", { name: "Save" }).click();
    const requested = cardRequest(page);
    await confirmation.getByRole("button", { name: "Use CAC Instead" }).click();
    expect(new URL((await requested).url()).searchParams.get("prompt")).toBe("login");
  };
  await confirmByCard();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(plainUrl("/keys"));
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue("Nightly");
  await confirmByCard();
  await showCard(page, card);
  await expect(page).toHaveURL(plainUrl("/keys"));
  await expect(editor.getByRole("checkbox", { name: "airports" })).toBeChecked();
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog", { name: "Key of Nightly" })).toBeVisible();
});

test("[PASSWORD-01][PASSWORD-07] a card login asks for a required password change; every new password unlinks the card, as the screen states", async ({
  page,
}) => {
  const account = await createAccount();
  const card = newCard();
  const logInByCard = async () => {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("/login");
    await page.getByRole("link", { name: "CAC Login" }).click();
    await showCard(page, card);
  };
  await visitAs(page, account.username, account.password);
  await linkCard(page, card, account.password);
  await requirePasswordChange(account);
  await logInByCard();
  await expect(page.getByRole("heading", { name: "Update Password" })).toBeVisible();
  expect(await storedSession(page)).toBeNull();
  await page.getByLabel("New password", { exact: true }).fill("another one");
  await page.getByLabel("Confirm password", { exact: true }).fill("another one");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expectDatasets(page);

  await linkCard(page, card, "another one");
  await page.goto("/change-password");
  await expect(page.getByText("A CAC that is linked to your account becomes unlinked.")).toBeVisible();
  await page.getByRole("textbox", { name: "New password" }).fill("a third one");
  await page.getByRole("textbox", { name: "Confirm password" }).fill("a third one");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("Password updated")).toBeVisible();
  await page.goto("/manage-cac");
  await expect(cacStatus(page)).toHaveText("Not linked");
  await logInByCard();
  await expect(page.getByRole("alert")).toContainText(cannotLogIn);
});
