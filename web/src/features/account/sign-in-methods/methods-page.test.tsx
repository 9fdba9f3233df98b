import type { Passkey } from "@fairway/contract/passkeys";
import { type SignInMethods, signInMethods } from "@fairway/contract/second-factors";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { copied, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const none: SignInMethods = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false };
const laptop: Passkey = { id: "p-1", name: "Work laptop", host: location.hostname, addedMs: 0, lastUsedMs: null };
const secret = "JBSWY3DPEHPK3PXP";
const codes = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-cccc-dddd-eeee-fff${"abcdefghij"[index]}`);

const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
const passkeys = page.getByRole("list", { name: "Passkeys", exact: true }).getByRole("listitem");
const addPasskey = page.getByRole("button", { name: "Add Passkey", exact: true });

let methods = none;
beforeEach(() => {
  methods = none;
  gateway.answer(signInMethods.read, () => methods);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("an authenticator app is set up with a QR code or a key and a first code; its recovery codes stay until they are confirmed", async () => {
  gateway.answer(signInMethods.beginAuthenticator, { secret, uri: `otpauth://totp/Fairway:ada?secret=${secret}` });
  gateway.answer(signInMethods.confirmAuthenticator, () => {
    methods = { ...none, authenticator: { addedMs: 0, lastUsedMs: null }, recoveryCodesLeft: 10 };
    return { recoveryCodes: codes };
  });
  gateway.refuse(signInMethods.confirmAuthenticator, "invalid-value", "The code is not correct.", { times: 1 });
  await openScreen("/sign-in-methods");
  await expect.element(page.getByRole("heading", { level: 1, name: "Sign-in Methods" })).toBeVisible();
  await expect.element(addPasskey).toBeVisible();
  await expectAccessible();

  await page.getByRole("button", { name: "Set Up", exact: true }).click();
  const setup = dialog("Set Up Authenticator App");
  await expect.element(setup.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  await expect.element(setup.getByText("JBSW Y3DP EHPK 3PXP", { exact: true })).toBeVisible();
  const code = setup.getByRole("textbox", { name: "Code", exact: true });
  await expect.element(code).toHaveFocus();
  await setup.getByRole("button", { name: "Copy Key" }).click();
  await expect.poll(copied).toBe(secret);
  await expect
    .element(setup.getByRole("link", { name: "Open in an App on This Device" }))
    .toHaveAttribute("href", `otpauth://totp/Fairway:ada?secret=${secret}`);
  await expectAccessible({ within: ["[role=dialog]"] });
  await code.fill("123456");
  await press("Enter");
  await expect.element(setup.getByText("The code is not correct.")).toBeVisible();
  await code.fill("654321");
  await press("Enter");

  const recoveryCodes = dialog("Recovery Codes");
  await expectTexts(recoveryCodes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem"), codes);
  await press("Escape");
  await recoveryCodes.getByRole("button", { name: "I've Saved Them" }).click();
  await expect.element(page.getByText("10 left. Each works once, for signing in without your device.")).toBeVisible();

  gateway.answer(signInMethods.removeAuthenticator, () => {
    methods = none;
    return undefined;
  });
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await dialog("Remove Authenticator App?").getByRole("button", { name: "Remove", exact: true }).click();
  await expect.element(page.getByRole("button", { name: "Set Up", exact: true })).toBeVisible();
});

it("a passkey is listed with its host and last use, and can be renamed and removed", async () => {
  methods = { ...none, passkeys: [laptop, { ...laptop, id: "p-2", name: "Phone", host: "portal.example", lastUsedMs: 0 }] };
  await openScreen("/sign-in-methods");
  await expectTexts(passkeys, [/^Work laptopAdded [^·]*$/, /^PhoneAdded .* · last used .* · works at portal\.example only$/]);
  await addPasskey.click();
  const name = dialog("Add Passkey").getByRole("textbox", { name: "Name", exact: true });
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue("Linux computer");
  await press("Escape");

  gateway.refuse(signInMethods.renamePasskey, "name-taken", "Another passkey of yours has this name.", { times: 1 });
  await page.getByRole("button", { name: "Rename Work laptop", exact: true }).click();
  const renaming = dialog("Rename Passkey");
  await renaming.getByRole("textbox", { name: "Name", exact: true }).fill("phone");
  await press("Enter");
  await expect.element(renaming.getByText("Another passkey of yours has this name.")).toBeVisible();
  gateway.answer(signInMethods.renamePasskey, ({ body }) => {
    const renamed = { ...laptop, name: body.name };
    methods = { ...methods, passkeys: [renamed] };
    return renamed;
  });
  await renaming.getByRole("textbox", { name: "Name", exact: true }).fill("Old laptop");
  await press("Enter");
  await expectText(passkeys, /^Old laptop/);

  gateway.answer(signInMethods.removePasskey, ({ params }) => {
    methods = { ...methods, passkeys: methods.passkeys.filter(({ id }) => id !== params.id) };
    return undefined;
  });
  await page.getByRole("button", { name: "Remove Old laptop", exact: true }).click();
  await dialog("Remove the Passkey Old laptop?").getByRole("button", { name: "Remove", exact: true }).click();
  await expect.element(page.getByText("Passkey removed")).toBeVisible();
  await expectCount(passkeys, 0);
});

it("the screen explains why passkeys do not work here, and offers no new one", async () => {
  vi.stubGlobal("isSecureContext", false);
  methods = { ...none, passkeys: [laptop] };
  await openScreen("/sign-in-methods");
  await expect.element(page.getByText("Passkeys need https and a host name, or localhost.")).toBeVisible();
  await expectCount(passkeys, 1);
  await expect.element(addPasskey).not.toBeInTheDocument();
});
