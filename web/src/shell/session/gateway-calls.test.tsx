import { auth } from "@fairway/contract/auth";
import { datasets } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { settings } from "@fairway/contract/settings";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { picker } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

it("retries a call refused with 401 once with a renewed token", async () => {
  gateway.refuse(datasets.list, "not-signed-in", "Sign in first.", { times: 1 });
  await openScreen("/search");
  await expect.element(picker().getByText("storm-tracks", { exact: true })).toBeVisible();
  expect(gateway.received(datasets.list)).toHaveLength(2);
  expect(gateway.received(auth.refresh)).toHaveLength(1);
});

for (const [requirement, what, route, logMessage] of [
  ["[SESSION-25]", "the favorites", favoriteDatasets.list, "The favorites could not be loaded:"],
  ["[SESSION-26]", "the UI configuration", settings.ui, "The UI configuration could not be loaded:"],
] as const) {
  it(`${requirement} logs a failure to load ${what} without showing it`, async () => {
    const log = vi.spyOn(console, "warn").mockReturnValue(undefined);
    gateway.refuse(route, "internal", "It broke.");
    await openScreen("/search");
    await expect.poll(() => log.mock.calls.map(([text]) => String(text))).toContain(logMessage);
    await expect.element(picker().getByText("storm-tracks", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
    await expect.element(page.getByText("It broke.")).not.toBeInTheDocument();
    await expect.element(page.getByText(/could not be loaded/)).not.toBeInTheDocument();
  });
}
