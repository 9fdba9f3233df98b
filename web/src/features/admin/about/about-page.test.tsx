import { platformMetadata } from "@fairway/contract/metadata";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openOnce } from "#testing/open-once.tsx";
import { openAdmin } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

beforeEach(() => {
  gateway.answer(platformMetadata.read, {
    gateway: { version: "2.0.0", release: "r12", startedAt: "2026-11-21T22:44:30.053Z", memoryMb: 1198 },
    database: { name: "PostgreSQL", reachable: true },
  });
});

const component = (name: string) => page.getByRole("region", { name, exact: true });

describe("About", () => {
  openOnce(() => openAdmin("/about", "About"));

  it("[ABOUT-01][ROUTE-06] shows the metadata by component", async () => {
    await expect
      .element(component("gateway"))
      .toHaveTextContent("GatewayVersion2.0.0Releaser12Started at11-21-2026, 5:44:30 pmMemory1,198 MB");
    await expect.element(component("database")).toHaveTextContent("PostgreSQL");
    await expectAccessible();
  });

  it("[ABOUT-02] shows the version of the UI with the release", async () => {
    await expect.element(page.getByText(/^UI version \d+\.\d+\.\d+, release r12$/)).toBeVisible();
  });
});

it("[ABOUT-04] metadata that failed to load can be retried, beside the version of the UI", async () => {
  gateway.refuse(platformMetadata.read, "internal", "Nobody is in.", { times: 1 });
  await openAdmin("/about", "About");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to load app metadata");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Nobody is in.");
  await expect.element(page.getByText(/^UI version \d+\.\d+\.\d+$/)).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(component("gateway")).toBeVisible();
});
