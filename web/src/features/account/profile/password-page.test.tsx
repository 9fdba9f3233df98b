import { apiKeys } from "@fairway/contract/api-keys";
import { auth } from "@fairway/contract/auth";
import { defaultLimits } from "@fairway/contract/limits";
import { profile } from "@fairway/contract/profile";
import { signInMethods } from "@fairway/contract/second-factors";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectToastFor } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { ada, gateway, openScreen, tokenOf } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

const update = page.getByRole("button", { name: "Update Password", exact: true });
const failed = page.getByRole("alert").filter({ hasText: "Password Update Failed" });

async function fill(password: string, repeated: string): Promise<void> {
  await setField(page.getByRole("textbox", { name: "New password" }), password);
  await setField(page.getByRole("textbox", { name: "Confirm password" }), repeated);
}

beforeEach(() => {
  gateway.answer(apiKeys.list, []);
});

describe("/change-password", () => {
  openOnce(async () => {
    gateway.answer(profile.resetPassword, undefined);
    await openScreen("/change-password");
  });

  it("[ROUTE-04][PASSWORD-01] explains that a CAC is unlinked", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "Change Password" })).toBeVisible();
    await expect.element(page.getByText("A CAC that is linked to your account becomes unlinked.")).toBeVisible();
    await expect
      .element(page.getByRole("textbox", { name: "New password" }))
      .toHaveAccessibleDescription("At least 3 characters. Both entries must match.");
  });

  for (const { refuses, entries } of [
    {
      refuses: "[PASSWORD-02] an empty entry",
      entries: [
        ["", ""],
        ["abc", ""],
        ["", "abc"],
      ],
    },
    { refuses: "[PASSWORD-03] fewer than 3 characters", entries: [["ab", "ab"]] },
    {
      refuses: "[PASSWORD-04] entries that differ",
      entries: [
        ["abc", "abd"],
        ["abc", "abc "],
      ],
    },
  ]) {
    it(`${refuses} cannot be submitted`, async () => {
      for (const [password = "", repeated = ""] of entries) {
        await fill(password, repeated);
        await expect.element(update).toBeDisabled();
        await userEvent.keyboard("{Enter}");
      }
      expect(gateway.received(profile.resetPassword)).toEqual([]);
      await fill("abc", "abc");
      await expect.element(update).toBeEnabled();
    });
  }

  it("[PASSWORD-08] says for 2 seconds that the password was updated, and empties the fields", async () => {
    await fill("a new one", "a new one");
    await expectAccessible();
    vi.useFakeTimers();
    await update.click();
    await expectToastFor("Password updated", 2000);
    await expect.element(page.getByRole("textbox", { name: "New password" })).toHaveValue("");
    expect(gateway.received(profile.resetPassword).map(({ body }) => body)).toEqual([{ password: "a new one" }]);
  });
});

it("a change long after the sign-in asks for the current password, and then continues with what was typed in the new session", async () => {
  gateway.answer(profile.resetPassword, undefined);
  // Refused again with the renewed token.
  gateway.refuse(profile.resetPassword, "sign-in-again", "You signed in too long ago for this.", { times: 2 });
  gateway.answer(auth.login, { requiresPasswordChange: false, token: tokenOf(ada, "refresh-2") });
  gateway.refuse(auth.login, "wrong-credentials", "Invalid username or password. Please try again.", { times: 1 });
  gateway.answer(signInMethods.read, { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false });
  await openScreen("/change-password");
  await fill("a new one", "a new one");
  await update.click();
  const dialog = page.getByRole("dialog", { name: "Confirm It's You" });
  const current = dialog.getByRole("textbox", { name: "Current password" });
  await expect.element(current).toHaveFocus();
  await setField(current, "not it");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.element(dialog.getByText("Invalid username or password. Please try again.")).toBeVisible();
  await setField(current, "the old one");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.element(page.getByRole("status").filter({ hasText: "Password updated" })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(profile.resetPassword).at(-1)?.body).toEqual({ password: "a new one" });
  expect(JSON.parse(sessionStorage.getItem("fairway.session") ?? "null")).toMatchObject({ refresh_token: "refresh-2" });
});

it("[PASSWORD-06] a failed password change shows an error and keeps the input", async () => {
  const key = {
    id: "1",
    name: "Nightly",
    key: "fwk_…x7Qa",
    createdDateMs: 0,
    lastUsedMs: null,
    expiresAtMs: null,
    previousKeyEndsMs: null,
  };
  gateway.answer(apiKeys.list, [
    { ...key, datasets: [], filesets: [], ecosystems: [], lost: { datasets: [], filesets: [], ecosystems: [] } },
  ]);
  gateway.refuse(profile.resetPassword, "internal", "The gateway is starting.");
  await openScreen("/change-password");
  await expect.element(page.getByText("Your API key keeps working.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "your API keys", exact: true })).toHaveAttribute("href", "/keys");
  await fill("a new one", "a new one");
  await update.click();
  await expect.element(failed).toHaveTextContent("The gateway is starting.");
  await expect.element(page.getByRole("textbox", { name: "New password" })).toHaveValue("a new one");
});

it("the page shows the asvs password rules, and why a password is refused", async () => {
  gateway.answer(settings.portal, {
    ...defaultPortalSettings,
    passwordRules: "asvs",
    limits: { ...defaultLimits, passwordMinCharacters: 8 },
  });
  const message = "This password is on a list of common and leaked passwords. Choose another one.";
  gateway.refuse(profile.resetPassword, "invalid-value", message, { path: "password" });
  await openScreen("/change-password");
  await expect.element(page.getByText("At least 8 characters, 15 or more recommended. Both entries must match.")).toBeVisible();
  await fill("passwor", "passwor");
  await expect.element(update).toBeDisabled();
  await fill("password1", "password1");
  await update.click();
  await expect.element(failed).toHaveTextContent(message);
  await expect.element(page.getByRole("textbox", { name: "New password" })).toHaveValue("password1");
});
