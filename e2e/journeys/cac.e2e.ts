import { ageSignIns } from "../support/accounts.ts";
import { cacStatus, cardRequest, confirmLink, newCard, showCard } from "../support/cards.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { expectLogin } from "../support/sign-in.ts";

const cannotLogIn = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";

/** Matches a URL without query and fragment, so without anything from the issuer. */
const plainUrl = (path: string) => new RegExp(`^[^?#]+${path}$`);

test("[CAC-06][CAC-08] a user links a card through its issuer, confirms a change and logs in with it", async ({ page }) => {
  const account = await signInAsNewAccount(page);
  const card = newCard();
  const panel = page.getByRole("navigation", { name: "Profile" });
  await page.goto("/keys");

  await test.step("links the card with its issuer and the password", async () => {
    await panel.getByRole("link", { name: "Manage CAC" }).click();
    await expect(cacStatus(page)).toHaveText("Not linked");
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await showCard(page, card);
    await expect(page).toHaveURL(plainUrl("/manage-cac"));
    await confirmLink(page, "mistyped");
    await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Unable to Link CACThe password is not correct.");
    await confirmLink(page, account.password);
    await expect(cacStatus(page)).toHaveText("Linked");
  });

  await test.step("confirms the user's identity long after the sign-in, and the form keeps what was typed", async () => {
    await ageSignIns(account);
    await panel.getByRole("link", { name: "API Keys" }).click();
    const editor = page.getByRole("dialog", { name: "Create Key" });
    await page.getByRole("button", { name: "Create Key" }).click();
    await editor.getByRole("textbox", { name: "Name" }).fill("Nightly");
    await editor.getByRole("checkbox", { name: "airports" }).check();
    await editor.getByRole("button", { name: "Save" }).click();
    const requested = cardRequest(page);
    await page.getByRole("dialog", { name: "Confirm It's You" }).getByRole("button", { name: "Use CAC Instead" }).click();
    expect(new URL((await requested).url()).searchParams.get("prompt")).toBe("login");
    await showCard(page, card);
    await expect(page).toHaveURL(plainUrl("/keys"));
    await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue("Nightly");
    await expect(editor.getByRole("checkbox", { name: "airports" })).toBeChecked();
    await editor.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("dialog", { name: "Key of Nightly" })).toBeVisible();
  });

  await test.step("logs in and returns to the requested page, while an unlinked card leads back to Login", async () => {
    await page.evaluate(() => sessionStorage.removeItem("fairway.session"));
    await page.goto("/keys");
    await expectLogin(page);
    const link = page.getByRole("link", { name: "CAC Login" });
    await link.click();
    await showCard(page, newCard());
    await expect(page.getByRole("alert")).toHaveText(`Unable to Login${cannotLogIn}`);
    await expectLogin(page);
    await expect(page).toHaveURL(/\/login\?redirect=%2Fkeys$/);
    await link.click();
    const [redirect, login] = await Promise.all([
      page.waitForRequest((sent) => new URL(sent.url()).pathname === "/login" && new URL(sent.url()).searchParams.has("code")),
      page.waitForRequest("**/api/geoAxis/cacLogin"),
      showCard(page, card),
    ]);
    const { origin, searchParams } = new URL(redirect.url());
    expect(login.postDataJSON()).toMatchObject({ code: searchParams.get("code"), redirectUri: `${origin}/login` });
    await expect(page.getByRole("heading", { level: 1, name: "API Keys" })).toBeVisible();
    await expect(page).toHaveURL(plainUrl("/keys"));
  });
});
