import { platformMetadata } from "@fairway/contract/metadata";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openAdmin } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

it("[ABOUT-01][ABOUT-02][ABOUT-04][ROUTE-06] About shows each component, or an error that can be retried", async () => {
  gateway.answer(platformMetadata.read, {
    gateway: { version: "2.0.0", release: "r12", startedAt: "2026-11-21T22:44:30.053Z", memoryMb: 1198 },
    database: { name: "PostgreSQL", reachable: true },
  });
  gateway.refuse(platformMetadata.read, "internal", "Nobody is in.", { times: 1 });
  await openAdmin("/about", "About");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to load app metadata");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Nobody is in.");
  await expect.element(page.getByText(/^UI version \d+\.\d+\.\d+$/)).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect
    .element(page.getByRole("region", { name: "gateway", exact: true }))
    .toHaveTextContent("GatewayVersion2.0.0Releaser12Started at11-21-2026, 5:44:30 pmMemory1,198 MB");
  await expect.element(page.getByText(/^UI version \d+\.\d+\.\d+, release r12$/)).toBeVisible();
  await expect.element(page.getByRole("region", { name: "database", exact: true })).toHaveTextContent("PostgreSQL");
  await expectAccessible();
});
