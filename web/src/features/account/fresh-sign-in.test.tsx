import { auth } from "@fairway/contract/auth";
import { profile } from "@fairway/contract/profile";
import { secondFactorSignIn, signInMethods } from "@fairway/contract/second-factors";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { ada, gateway, openScreen, tokenOf } from "#testing/open-screen.tsx";

it("accepts a code of the authenticator app or a recovery code as the second step, and then retries the change", async () => {
  const stored = { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: [] };
  gateway.answer(profile.read, stored);
  gateway.answer(ownSessions.list, []);
  gateway.answer(ownSessions.signIns, []);
  gateway.answer(ownSecurityEvents.list, []);
  gateway.answer(signInMethods.read, {
    authenticator: { addedMs: 0, lastUsedMs: null },
    recoveryCodesLeft: 9,
    passkeys: [],
    required: false,
  });
  gateway.answer(profile.save, ({ body }) => ({ ...stored, ...body }));
  // Refused again with the renewed token.
  gateway.refuse(profile.save, "sign-in-again", "You signed in too long ago for this.", { times: 2 });
  const token = tokenOf(ada);
  gateway.answer(auth.login, {
    requiresPasswordChange: false,
    requiresSecondFactor: true,
    secondFactors: { code: true, passkey: null },
    token: { ...token, refresh_token: null },
  });
  gateway.answer(secondFactorSignIn.prove, { requiresPasswordChange: false, token });
  gateway.refuse(secondFactorSignIn.prove, "wrong-credentials", "The code is not correct.", { times: 1 });

  await openScreen("/user-profile");
  await page.getByRole("textbox", { name: "Email" }).fill("countess@fairway.example");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm It's You" });
  await dialog.getByRole("textbox", { name: "Current password" }).fill("correct horse");
  const confirm = dialog.getByRole("button", { name: "Continue" });
  await confirm.click();
  const code = dialog.getByRole("textbox", { name: "Code" });
  await code.fill("123 456");
  await confirm.click();
  await expect.element(dialog.getByText("The code is not correct.")).toBeVisible();
  await code.fill("abcd-efgh-ijkl-mnop-qrst-uvwx");
  await confirm.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expectText(page.getByRole("status").filter({ hasText: "Profile updated" }), /Profile updated/);
  expect(gateway.received(secondFactorSignIn.prove).map(({ body }) => Object.keys(body))).toEqual([["code"], ["recoveryCode"]]);
  expect(gateway.received(profile.save).at(-1)?.body).toMatchObject({ email: "countess@fairway.example" });
});
