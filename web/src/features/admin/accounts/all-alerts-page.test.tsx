import { alertAdministration, type OwnedAlert } from "@fairway/contract/alerts";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText } from "#testing/assertions.ts";
import { openAdmin } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const alert = (name: string, username: string, overrides: Partial<OwnedAlert> = {}): OwnedAlert => ({
  id: `alert-${name}`,
  name,
  owner: { id: `user-${username}`, username, locked: username === "grace" },
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  condition: { kind: "above", rows: 100 },
  everyMinutes: 5,
  state: "ok",
  reason: "",
  isEnded: false,
  lastCheckedMs: Date.UTC(2026, 0, 1, 16),
  checks: 288,
  failed: 2,
  durationMs: 61_240,
  ...overrides,
});

it("lists what the alerts of all users took, and ends one with a reason", async () => {
  let listed = [
    alert("Rain", "ada"),
    alert("Snow", "grace", { state: "paused", reason: "The dataset is gone.", checks: 1, durationMs: 4 }),
  ];
  gateway.answer(alertAdministration.list, () => ({ alerts: listed, total: 1_400, checks: 1_289, durationMs: 61_244 }));
  gateway.answer(alertAdministration.end, ({ params, body: { reason } }) => {
    listed = listed.map((one) => (one.id === params.id ? alert("Rain", "ada", { state: "paused", isEnded: true, reason }) : one));
    return undefined;
  });
  await openAdmin("/alert-settings", "Alerts of all users");
  const rows = page
    .getByRole("region", { name: "Alerts" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
  await expectCount(rows, 2);
  await expect.element(page.getByText(/^1,289 checks in 24 hours took 61.2 s/)).toBeVisible();
  await expect.element(page.getByText("1,398 more alerts took less time.")).toBeVisible();
  await expect.element(rows.nth(0)).toHaveTextContent(/^adaRainstorm-tracksmore than 100 rowsOKevery 5 minutes288261\.2 s01-01-2026, /);
  await expect.element(rows.nth(1)).toHaveTextContent(/^grace lockedSnow.*Paused: The dataset is gone\./);
  await expectAccessible();

  await press("Enter", page.getByRole("button", { name: "End Rain of ada", exact: true }));
  const dialog = page.getByRole("dialog", { name: "End Rain of ada?" });
  await expect.element(dialog.getByRole("button", { name: "End alert" })).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("It reads too much.");
  gateway.refuse(alertAdministration.end, "conflict", "The alert has already ended.", { times: 1 });
  await dialog.getByRole("button", { name: "End alert" }).click();
  await expectText(dialog.getByRole("alert"), "End alert failed: The alert has already ended.");
  await dialog.getByRole("button", { name: "End alert" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(rows.nth(0)).toHaveTextContent("Ended: It reads too much.");
  await expect.element(page.getByRole("button", { name: "End Rain of ada", exact: true })).not.toBeInTheDocument();
});
