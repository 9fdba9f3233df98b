import { auth } from "@fairway/contract/auth";
import { profile } from "@fairway/contract/profile";
import { signInMethods } from "@fairway/contract/second-factors";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { type OwnSession, ownSessions, type SignInAttempt } from "@fairway/contract/sessions";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts, expectToastFor } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { ada, gateway, openScreen, setClaims, tokenOf } from "#testing/open-screen.tsx";

const save = page.getByRole("button", { name: "Save", exact: true });
const field = (label: "Username" | "Email" | "First name" | "Last name") => page.getByRole("textbox", { name: label });
const client = { browser: "Safari 17.5", operatingSystem: "iOS 17.5", device: "iPhone" };
const stored = { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: ["a", "b", "c"] };

const session = (id: string, overrides: Partial<OwnSession> = {}): OwnSession => ({
  id,
  isCurrent: false,
  client,
  ipAddress: "127.0.0.1",
  signedInMs: 0,
  lastUsedMs: 0,
  ...overrides,
});
const attempt = (id: string, overrides: Partial<SignInAttempt> = {}): SignInAttempt => ({
  id,
  timeMs: 0,
  step: "password",
  succeeded: true,
  client,
  ipAddress: "127.0.0.1",
  ...overrides,
});

beforeEach(() => {
  gateway.answer(profile.read, stored);
  gateway.answer(ownSessions.list, [session("here", { isCurrent: true })]);
  gateway.answer(ownSessions.signIns, [attempt("1")]);
  gateway.answer(ownSecurityEvents.list, []);
});

describe("/user-profile", () => {
  openOnce(async () => {
    gateway.answer(ownSecurityEvents.list, [{ id: "1", atMs: 0, kind: "email-changed", subject: null, by: "root" }]);
    await openScreen("/user-profile");
  });

  it("[ROUTE-03][PROFILE-01] shows the username, which cannot be edited", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    await expect.element(field("Username")).toHaveValue("ada");
    await expect.element(field("Username")).toHaveAttribute("readonly");
    // It does not look like a field to type in.
    const background = (name: "Username" | "Email") => getComputedStyle(field(name).element()).backgroundColor;
    expect(background("Username")).not.toBe(background("Email"));
    await expect.element(page.getByRole("table", { name: "Recent Sign-ins" })).toBeVisible();
    await expectAccessible();
  });

  for (const [requirement, label, value] of [
    ["[PROFILE-02]", "Email", "ada@fairway.example"],
    ["[PROFILE-03]", "First name", "Ada"],
    ["[PROFILE-04]", "Last name", "Lovelace"],
  ] as const) {
    it(`${requirement} lets the user edit: ${label}`, async () => {
      await expect.element(field(label)).toHaveValue(value);
      await expect.element(field(label)).not.toHaveAttribute("readonly");
      await expect.element(field(label)).toBeEnabled();
    });
  }

  it("[PROFILE-05] lists the roles in order", async () => {
    await expectTexts(page.getByRole("list", { name: "Roles" }).getByRole("listitem"), ["a", "b", "c"]);
  });
});

it("changing the email long after the sign-in asks for the password, also on a phone, and Cancel keeps the input and the focus", async () => {
  await page.viewport(390, 844);
  gateway.answer(auth.login, { requiresPasswordChange: false, token: tokenOf(ada, "refresh-2") });
  gateway.answer(profile.save, ({ body }) => ({ ...stored, ...body }));
  gateway.refuse(profile.save, "sign-in-again", "You signed in too long ago for this.", { times: 4 });
  gateway.answer(signInMethods.read, { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false });
  await openScreen("/user-profile");
  await field("Email").fill("countess@fairway.example");
  await press("Enter");
  const confirmation = page.getByRole("dialog", { name: "Confirm It's You" });
  const current = confirmation.getByRole("textbox", { name: "Current password" });
  await expect.element(current).toHaveFocus();
  await confirmation.getByRole("button", { name: "Cancel" }).click();
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(field("Email")).toHaveValue("countess@fairway.example");
  await expect.element(field("Email")).toHaveFocus();
  await save.click();
  await current.fill("secret");
  await confirmation.getByRole("button", { name: "Continue" }).click();
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
  await expect.element(save).toHaveFocus();
  await page.viewport(1440, 900);
});

describe("a changed profile", () => {
  openOnce(async () => {
    gateway.answer(profile.save, ({ body }) => {
      setClaims({ name: `${body.firstName} ${body.lastName}`, given_name: body.firstName, family_name: body.lastName });
      return { ...stored, ...body };
    });
    await openScreen("/user-profile");
  });

  for (const [requirement, label, tooShort, enough] of [
    ["[PROFILE-06]", "Email", "a@b", "a@bc"],
    ["[PROFILE-07]", "First name", "", "A"],
    ["[PROFILE-08]", "Last name", "", "B"],
  ] as const) {
    it(`${requirement} cannot be saved while this is too short: ${label}`, async () => {
      await expect.element(save).toBeEnabled();
      await field(label).fill(tooShort);
      await expect.element(save).toBeDisabled();
      await field(label).fill(enough);
      await expect.element(save).toBeEnabled();
    });
  }

  it("[PROFILE-09][PROFILE-11] is saved, said for 2 seconds, and the new name is shown at once", async () => {
    await field("Email").fill("ada@fairway.example");
    await field("First name").fill("<b>Marie</b>");
    await field("Last name").fill("Curie");
    vi.useFakeTimers();
    await save.click();
    await expectToastFor("Profile updated", 2000);
    vi.useRealTimers();
    expect(gateway.received(profile.save).map(({ body }) => body)).toEqual([
      { email: "ada@fairway.example", firstName: "<b>Marie</b>", lastName: "Curie" },
    ]);
    await expect.element(page.getByRole("link", { name: "<b>Marie</b> Curie" })).toBeVisible();
  });
});

it("asks before a changed email, first name or last name is lost by a link", async () => {
  await openScreen("/user-profile");
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  for (const [label, before] of [
    ["Email", stored.email],
    ["First name", stored.firstName],
    ["Last name", stored.lastName],
  ] as const) {
    await field(label).fill("changed@fairway.example");
    await page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "Notices" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(field(label)).toHaveValue("changed@fairway.example");
    // Only the next field asks.
    await field(label).fill(before);
  }
});

it("[PROFILE-10][API-05] each part of the profile that failed to load can be retried; a failed save shows an error, keeps the input and can be retried", async () => {
  gateway.answer(profile.save, ({ body }) => ({ ...stored, ...body }));
  gateway.refuse(profile.save, "internal", "The gateway is starting.", { times: 1 });
  for (const route of [profile.read, ownSessions.list, ownSessions.signIns]) gateway.refuse(route, "internal", "No.", { times: 1 });
  await openScreen("/user-profile");
  for (const message of ["Failed to load the profile", "Failed to load your sessions", "Failed to load recent sign-ins"]) {
    const alert = page.getByRole("alert").filter({ hasText: message });
    await alert.getByRole("button", { name: "Retry" }).click();
    await expect.element(alert).not.toBeInTheDocument();
  }
  await expect.element(field("First name")).toHaveValue("Ada");
  await expect.element(page.getByRole("list", { name: "Sessions" }).getByText("This session")).toBeVisible();
  await expect.element(page.getByRole("table", { name: "Recent Sign-ins" }).getByText("Succeeded")).toBeVisible();

  await field("First name").fill("Marie");
  await save.click();
  await expect.element(page.getByRole("alert").filter({ hasText: "Profile Update Failed" })).toHaveTextContent("The gateway is starting.");
  await expect.element(field("First name")).toHaveValue("Marie");
  await save.click();
  await expect.element(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
});

it("signing out everywhere else asks first, and shows a failure", async () => {
  const others = [session("1"), session("2", { ipAddress: "10.0.0.1" })];
  gateway.answer(ownSessions.list, () => [session("here", { isCurrent: true }), ...others]);
  gateway.answer(ownSessions.endOthers, () => {
    others.length = 0;
    return undefined;
  });
  gateway.refuse(ownSessions.endOthers, "internal", "No.", { times: 1 });
  await openScreen("/user-profile");
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expectCount(sessions, 3);
  await expectCount(sessions.filter({ hasText: "This session" }), 1);
  await expect.element(sessions.filter({ hasText: "This session" }).getByRole("button")).not.toBeInTheDocument();
  const names = page
    .getByRole("button", { name: /^Sign Out session/ })
    .elements()
    .map((button) => button.getAttribute("aria-label"));
  expect(new Set(names).size).toBe(2);
  const everywhere = page.getByRole("button", { name: "Sign Out Everywhere Else" });
  const question = page.getByRole("dialog", { name: "Sign Out Everywhere Else?" });
  await everywhere.click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await everywhere.click();
  await question.getByRole("button", { name: "Sign Out" }).click();
  await expect.element(page.getByRole("alert").filter({ hasText: "Sign Out Failed" })).toBeVisible();
  await expectCount(sessions, 3);
  await everywhere.click();
  await question.getByRole("button", { name: "Sign Out" }).click();
  await expectCount(sessions, 1);
  await expect.element(everywhere).not.toBeInTheDocument();
  expect(gateway.received(ownSessions.endOthers)).toHaveLength(2);
});

it("sessions are listed with device, address and times, and recent sign-ins with their result", async () => {
  gateway.answer(ownSessions.list, [session("here", { isCurrent: true }), session("1")]);
  gateway.answer(ownSessions.signIns, [attempt("2", { succeeded: false }), attempt("1")]);
  await openScreen("/user-profile");
  const otherSession = page.getByRole("list", { name: "Sessions" }).getByRole("listitem").nth(1);
  const time = String.raw`12-31-1969, \d+:00:00 pm`;
  await expect
    .element(otherSession)
    .toHaveTextContent(new RegExp(`Safari 17.5 on iOS 17.5.*127.0.0.1 · since ${time} · last used ${time}`));
  const rows = page.getByRole("table", { name: "Recent Sign-ins" }).getByRole("row");
  await expectTexts(rows, [
    expect.anything(),
    expect.stringMatching(/12-31-1969.*Failed.*127\.0\.0\.1/),
    expect.stringContaining("Succeeded"),
  ]);
});
