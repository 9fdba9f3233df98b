import { apiKeys } from "@fairway/contract/api-keys";
import { cac } from "@fairway/contract/cac";
import { profile } from "@fairway/contract/profile";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectText } from "#testing/assertions.ts";
import { cardIssuer, cardRequest, cardSecret } from "#testing/cards.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const linked = { linked: true, linkedTimestamp: "2026-03-04T19:07:00Z" };
const status = page.getByRole("region", { name: "CAC status" }).getByRole("status");
const question = page.getByRole("dialog", { name: "Unlink CAC?" });
const unlink = page.getByRole("button", { name: "Unlink", exact: true });
const offerCards = () => gateway.answer(settings.ui, { ...uiConfig, cac: cardIssuer });

beforeEach(() => serveDatasets(gateway));

/** Resolves to the address of another site that the page is about to leave for, and keeps the page. */
function nextDeparture(): Promise<URL> {
  return new Promise((resolve) => {
    const keepPage = (event: NavigateEvent) => {
      const destination = new URL(event.destination.url);
      if (destination.origin === location.origin) return;
      event.preventDefault();
      navigation.removeEventListener("navigate", keepPage);
      resolve(destination);
    };
    navigation.addEventListener("navigate", keepPage);
  });
}

/** Starts to link a card. Returns the request to the issuer and opens the page with the issuer's code. */
async function readCard(code: string): Promise<Record<string, string>> {
  const departure = nextDeparture();
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const { origin, pathname, searchParams } = await departure;
  expect(origin + pathname).toBe(cardIssuer.authUrl);
  await openScreen(`/manage-cac?${new URLSearchParams({ code, state: searchParams.get("state") ?? "" })}`);
  return Object.fromEntries(searchParams);
}

const password = page.getByRole("dialog", { name: "Confirm Your Password" });
const confirm = async (text: string) => {
  await password.getByRole("textbox", { name: "Password" }).fill(text);
  await password.getByRole("button", { name: "Link", exact: true }).click();
};
const openUnlinked = async () => {
  offerCards();
  gateway.answer(cac.status, { linked: false, linkedTimestamp: null });
  await openScreen("/manage-cac");
};

it("[ROUTE-05][CAC-01] /manage-cac says that no card is linked", async () => {
  await openUnlinked();
  await expect.element(page.getByRole("heading", { level: 1, name: "Manage CAC" })).toBeVisible();
  await expectText(status, "Not linked");
  await expect.element(unlink).not.toBeInTheDocument();
  await expectAccessible();
});

it("[CAC-06][CAC-07] linking a card requests a code from the issuer, and sends it with the password", async () => {
  await openUnlinked();
  const redirectUri = `${location.origin}/manage-cac`;
  expect(await readCard("code-1")).toEqual(cardRequest(redirectUri));
  await expectAddress("/manage-cac");
  await expect.element(password).toBeVisible();
  expect(gateway.received(cac.link)).toEqual([]);
  gateway.answer(cac.link, linked);
  await confirm("secret");
  await expectText(status, "Linked");
  await expect.element(password).not.toBeInTheDocument();
  expect(gateway.received(cac.link).map(({ body }) => body)).toEqual([
    { password: "secret", code: "code-1", codeVerifier: cardSecret, redirectUri },
  ]);
});

it("[CAC-10] a refused link shows why, and a mistyped password does not use up the card's code", async () => {
  await openUnlinked();
  await readCard("code-1");
  gateway.refuse(cac.link, "name-taken", "This CAC is linked to another account.");
  await confirm("secret");
  await expectText(page.getByRole("alert").filter({ hasText: "Unable to Link CAC" }), /This CAC is linked to another account\./);
  await expect.element(password).not.toBeInTheDocument();
  await expectText(status, "Not linked");

  await readCard("code-2");
  gateway.answer(cac.link, linked);
  gateway.refuse(cac.link, "invalid-value", "The password is not correct.", { times: 1, path: "password" });
  await confirm("mistyped");
  await expectText(password.getByRole("alert"), "Unable to Link CACThe password is not correct.");
  await confirm("secret");
  await expectText(status, "Linked");
  expect(gateway.received(cac.link).map(({ body }) => [body.code, body.password])).toEqual([
    ["code-1", "secret"],
    ["code-2", "mistyped"],
    ["code-2", "secret"],
  ]);
});

it("[CAC-10] a code that the page did not request is not used", async () => {
  offerCards();
  gateway.answer(cac.status, { linked: false, linkedTimestamp: null });
  await openScreen("/manage-cac?code=somebody-elses&state=guessed");
  await expectText(page.getByRole("alert"), /Unable to Link CAC.*The card issuer didn't confirm your CAC\. Try again\./);
  await expectText(status, "Not linked");
  await expectAddress("/manage-cac");
});

it("[CAC-12] a status that failed to load can be retried", async () => {
  offerCards();
  gateway.answer(cac.status, linked);
  gateway.refuse(cac.status, "internal", "Not now.", { times: 1 });
  await openScreen("/manage-cac");
  await expect.element(page.getByText("Error loading CAC status.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expectText(status, "Linked");
});

describe("a linked card", () => {
  openOnce(async () => {
    offerCards();
    gateway.answer(cac.status, linked);
    gateway.answer(cac.unlink, undefined);
    await openScreen("/manage-cac");
  });

  const link = page.getByRole("button", { name: "Link", exact: true });
  const confirmUnlink = async () => {
    await unlink.click();
    await question.getByRole("button", { name: "Unlink" }).click();
  };

  it("[CAC-03][CAC-05] shows since when, and can only be unlinked, after a question", async () => {
    await expect.element(page.getByText("Linked 03-04-2026, 2:07:00 pm")).toBeVisible();
    await expect.element(link).not.toBeInTheDocument();
    await unlink.click();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect.element(question).not.toBeInTheDocument();
    expect(gateway.received(cac.unlink)).toEqual([]);
  });

  it("[CAC-11] shows that unlinking failed, and reloads the status", async () => {
    gateway.refuse(cac.unlink, "internal", "Not now.", { times: 1 });
    const loads = gateway.received(cac.status).length;
    await confirmUnlink();
    await expect.element(page.getByRole("alert").filter({ hasText: "Unable to Unlink CAC" })).toBeVisible();
    await expect.poll(() => gateway.received(cac.status).length).toBe(loads + 1);
    await expectText(status, "Linked");
  });

  it("[CAC-04] can only be linked once it is unlinked", async () => {
    await confirmUnlink();
    await expectText(status, "Not linked");
    await expect.element(unlink).not.toBeInTheDocument();
    await expect.element(link).toBeEnabled();
  });
});

it("[SHELL-28][CAC-13] there is no entry and no screen for cards without an issuer", async () => {
  gateway.answer(profile.read, { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: [] });
  gateway.answer(ownSessions.list, []);
  gateway.answer(ownSessions.signIns, []);
  gateway.answer(ownSecurityEvents.list, []);
  gateway.answer(apiKeys.list, []);
  gateway.answer(cac.status, linked);
  await openScreen("/user-profile");
  const entries = page.getByRole("navigation", { name: "Profile" }).getByRole("link");
  await expect.element(entries.filter({ hasText: "API Keys" })).toBeVisible();
  await expect.element(entries.filter({ hasText: "Manage CAC" })).not.toBeInTheDocument();
  await openScreen("/manage-cac");
  await expectDatasets();
  await expectAddress("/search");
});
