import { ageSignIns } from "../support/accounts.ts";
import { cacStatus, cardRequest, confirmLink, newCard, showCard } from "../support/cards.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { expectLogin } from "../support/sign-in.ts";

test("a canceled request for the card keeps a form as it was typed, and leads back to Login", async ({ page }) => {
  const account = await signInAsNewAccount(page);
  const card = newCard();
  await page.goto("/manage-cac");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await showCard(page, card);
  await confirmLink(page, account.password);
  await expect(cacStatus(page)).toHaveText("Linked");
  await ageSignIns(account);

  await page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "API Keys" }).click();
  const editor = page.getByRole("dialog", { name: "Create Key" });
  await page.getByRole("button", { name: "Create Key" }).click();
  await editor.getByRole("textbox", { name: "Name" }).fill("Nightly");
  await editor.getByRole("checkbox", { name: "airports" }).check();
  await editor.getByRole("button", { name: "Save" }).click();
  const requested = cardRequest(page);
  await page.getByRole("dialog", { name: "Confirm It's You" }).getByRole("button", { name: "Use CAC Instead" }).click();
  await requested;
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/^[^?#]+\/keys$/);
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue("Nightly");

  await page.evaluate(() => sessionStorage.removeItem("fairway.session"));
  await page.goto("/keys");
  await expectLogin(page);
  await page.getByRole("link", { name: "CAC Login" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Unable to LoginUnable to login with your CAC. Ensure your CAC is linked to your account or use your password.",
  );
  await expectLogin(page);
  await expect(page).toHaveURL(/\/login\?redirect=%2Fkeys$/);
});
