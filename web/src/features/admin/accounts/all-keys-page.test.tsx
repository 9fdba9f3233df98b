import { apiKeyAdministration } from "@fairway/contract/api-keys";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { openAdmin } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";
import { ownedKey } from "../admin-states.ts";

it("lists the keys of all users and removes a revoked one", async () => {
  gateway.answer(apiKeyAdministration.list, [ownedKey("Nightly", "ada"), ownedKey("Dashboard", "grace")]);
  gateway.answer(apiKeyAdministration.revoke, undefined);
  await openAdmin("/key-settings", "API Keys of all users");
  const rows = page
    .getByRole("region", { name: "API keys" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
  await expectCount(rows, 2);
  await expect.element(rows.nth(0)).toHaveTextContent(/^adaNightlyfwk_…abcdflights, photos, reefnever06-01-2026, 12:00:00 pm/);
  await expect.element(rows.nth(1)).toHaveTextContent(/^grace lockedDashboard/);
  await expectAccessible();

  await page.getByRole("button", { name: "Revoke Nightly of ada", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Revoke Nightly of ada?" });
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  expect(gateway.received(apiKeyAdministration.revoke)).toEqual([]);

  gateway.refuse(apiKeyAdministration.revoke, "not-found", "There is no such API key.", { times: 1 });
  for (const remaining of [2, 1]) {
    await page.getByRole("button", { name: "Revoke Nightly of ada", exact: true }).click();
    await question.getByRole("button", { name: "Revoke", exact: true }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expectCount(rows, remaining);
  }
  await expect.element(rows).toHaveTextContent("Dashboard");
  expect(gateway.received(apiKeyAdministration.revoke).map(({ params }) => params.id)).toEqual(["key-Nightly", "key-Nightly"]);
});
