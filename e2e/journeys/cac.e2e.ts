import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns, createAccount, requirePasswordChange } from "../support/accounts.ts";
import { beginLink, cacStatus, cardRequest, confirmLink, linkCard, newCard, showCard } from "../support/cards.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, expectLogin, storedSession, visitAs } from "../support/sign-in.ts";

const cannotLogIn = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";

const anything = (): unknown => expect.any(String);
const secret = (): unknown => expect.stringMatching(/^[\w-]{43}$/);

/** Nothing that the issuer sent is left in the address. */
const bare = (path: string) => new RegExp(`^[^?#]+${path}$`);

test("[SHELL-27][ROUTE-05][CAC-01][CAC-03][CAC-04][CAC-05][CAC-06][CAC-07][CAC-08][CAC-09] a card is linked by its issuer and the password, and unlinked", async ({
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

  const asked = cardRequest(page);
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const { searchParams } = new URL((await asked).url());
  const { origin } = new URL(test.info().project.use.baseURL ?? "");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: "fairway-demo",
    redirect_uri: `${origin}/manage-cac`,
    response_type: "code",
    domain: "DefaultDomain",
    scope: "UserProfile.me",
  });
  await showCard(page, newCard());
  await expect(page).toHaveURL(bare("/manage-cac"));
  const dialog = page.getByRole("dialog", { name: "Confirm Your Password" });
  await expect(dialog).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  // A mistyped password does not spend the card's code.
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

test("[CAC-10][LOGIN-13][LOGIN-14][LOGIN-15][LOGIN-16][LOGIN-17][LOGIN-18] a linked card logs in, back to where one was going; another one does not, and nobody else can link it", async ({
  page,
  browser,
}) => {
  const account = await createAccount();
  const card = newCard();
  await visitAs(page, account.username, account.password);
  await linkCard(page, card, account.password);

  await test.step("nobody else can link the card", async () => {
    const second = await createAccount();
    const other = await browser.newPage();
    await visitAs(other, second.username, second.password);
    await beginLink(other, card);
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
  await test.step("a code that this tab did not ask for, or none at all, leaves one on Login with what failed", async () => {
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

  const asked = cardRequest(page);
  await link.click();
  const request = new URL((await asked).url());
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
  const turnedIn = page.waitForRequest("**/api/geoAxis/cacLogin");
  const came = page.waitForRequest((one) => new URL(one.url()).pathname === "/login" && new URL(one.url()).searchParams.has("code"));
  await showCard(page, card);
  const code = new URL((await came).url()).searchParams.get("code");
  expect((await turnedIn).postDataJSON()).toMatchObject({ code, redirectUri: `${origin}/login` });
  await expect(page.getByRole("heading", { level: 1, name: "API Keys" })).toBeVisible();
  await expect(page).toHaveURL(bare("/keys"));
});

test("a linked card confirms who one is after a sign-in of long ago, and the form is there again with what was typed", async ({ page }) => {
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
  const again = page.getByRole("dialog", { name: "Confirm It Is You" });
  const leave = async () => {
    await editor.getByRole("button", { name: "Save" }).click();
    const asked = cardRequest(page);
    await again.getByRole("button", { name: "Use CAC Instead" }).click();
    expect(new URL((await asked).url()).searchParams.get("prompt")).toBe("login");
  };
  await leave();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(bare("/keys"));
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue("Nightly");
  await leave();
  await showCard(page, card);
  await expect(page).toHaveURL(bare("/keys"));
  await expect(editor.getByRole("checkbox", { name: "airports" })).toBeChecked();
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog", { name: "Key of Nightly" })).toBeVisible();
});

test("[PASSWORD-01][PASSWORD-07] a card whose account needs a new password asks for it; every new password unlinks the card, as its screen says", async ({
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
