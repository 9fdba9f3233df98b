import type { DatasetProfileState } from "@fairway/contract/dataset-profiles";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { Refused, Versioned } from "#testing/contract-gateway.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { schema, profile, row, profileCell } from "#testing/schema-profiles.ts";

const address = "/data-catalog/Tropical%20weather/storm-tracks";

let state: DatasetProfileState;
beforeEach(() => {
  state = { state: "done", profile: profile(), failure: null };
  gateway.answer(descriptions.schema, () => new Versioned(schema, '"c1.u1.x"'));
  gateway.answer(datasetProfiles.read, () => state);
});

it("administrators do not start profiles of datasets that users have brought", async () => {
  gateway.answer(
    descriptions.schema,
    () => new Versioned({ ...schema, dataset: { datasetCategory: "~ada", datasetId: "storm-tracks" } }, '"c1.u1.x"'),
  );
  await openScreen("/data-catalog/~ada/storm-tracks", { roles: ["admin"] });
  await expect.element(page.getByRole("status").filter({ hasText: "rofiled" })).toBeVisible();
  await expectCount(page.getByRole("button", { name: "Update profile" }), 0);
});

it("a profile that is missing, running or failed is described in words, and administrators start it", async () => {
  state = { state: "none", profile: null, failure: null };
  gateway.answer(datasetProfiles.update, () => {
    state = { state: "running", profile: null, failure: null };
    return { requestedMs: Date.now() };
  });
  await openScreen(address, { roles: ["admin"] });
  const section = page.getByRole("region", { name: "Profile", exact: true });
  await expect.element(section.getByRole("status")).toHaveTextContent("Not profiled yet");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
  await section.getByRole("button", { name: "Update profile" }).click();
  await expect.element(section.getByRole("status")).toHaveTextContent("Profiling now");
  await expect.element(section.getByRole("button", { name: "Update profile" })).toBeDisabled();
  expect(gateway.received(datasetProfiles.update).map(({ params }) => params)).toEqual([{ id: "storm-tracks" }]);
  // The page notices the end by itself.
  state = {
    state: "failed",
    profile: { ...profile(), coverage: null },
    failure: { problem: "Its data files are missing.", failedMs: Date.now() - 5_000 },
  };
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  await expect.element(section.getByRole("status")).toHaveTextContent("Profiling failed just now, last profiled 3 hours ago");
  await expect.element(section).toHaveTextContent("Its data files are missing.");
  await expect.element(profileCell("wind")).toHaveTextContent("31 distinct, 7 empty");
  await expectAccessible();

  gateway.answer(datasetProfiles.read, () => {
    throw new Refused("internal", "The database is away.");
  });
  await openScreen(address);
  await expect.element(page.getByRole("alert")).toHaveTextContent("The profile could not be loaded. The database is away.");
  await expect.element(row("wind")).toBeVisible();
});
