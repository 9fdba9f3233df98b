import { ownDatasetAdministration, ownDatasets } from "@fairway/contract/own-datasets";
import { sharing } from "@fairway/contract/sharing";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openAllOwnData } from "#testing/opened-screens.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });

it("lists own datasets by name, owner and size, beside those of the portal", async () => {
  await openAllOwnData();
  const row = page.getByRole("row").nth(1);
  await expect.element(row).toHaveTextContent("rain-2024ada1,20058.0 KB");
  await expect.element(page.getByText("1 dataset, 58.0 KB of 50 GB.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Datasets of the portal" })).toHaveAttribute("href", "/internal-dataset-settings");
  await expectAccessible();
});

it("shows a card for each dataset on a phone", async () => {
  await page.viewport(390, 844);
  await openAllOwnData();
  const row = page.getByRole("row").nth(1);
  await expect.element(row).toBeVisible();
  const { width } = (await row.findElement()).getBoundingClientRect();
  expect(width).toBeLessThanOrEqual(390);
});

it("disables, gives away, limits and deletes with a reason", async () => {
  gateway.answer(ownDatasetAdministration.setEnabled, undefined);
  gateway.answer(ownDatasetAdministration.setRoom, undefined);
  gateway.answer(ownDatasetAdministration.remove, undefined);
  gateway.answer(ownDatasets.transfer, undefined);
  gateway.answer(sharing.candidates, [
    { kind: "user", id: "u-bob", name: "bob" },
    { kind: "group", id: "g-1", name: "bobs" },
  ]);
  await openAllOwnData();
  await button("Disable rain-2024 of ada").click();
  await expect.poll(() => gateway.received(ownDatasetAdministration.setEnabled)[0]?.body).toStrictEqual({ enabled: false });
  await button("Give away rain-2024 of ada").click();
  await page.getByRole("combobox", { name: "New owner" }).fill("bob");
  await expect.element(page.getByRole("option")).toHaveTextContent("bob");
  await press("Enter", page.getByRole("combobox", { name: "New owner" }));
  await button("Give away").click();
  await expect.poll(() => gateway.received(ownDatasets.transfer)[0]?.body).toStrictEqual({ userId: "u-bob" });
  await button("Set the room of ada, for rain-2024").click();
  await page.getByRole("textbox", { name: "Gigabytes" }).fill("1.5");
  await button("Save").click();
  await expect.poll(() => gateway.received(ownDatasetAdministration.setRoom)[0]?.body).toStrictEqual({ maxBytes: 1_500_000_000 });
  await button("Delete rain-2024 of ada").click();
  await page.getByRole("textbox", { name: "Reason" }).fill("It holds names of people.");
  await button("Delete").click();
  await expect
    .poll(() => gateway.received(ownDatasetAdministration.remove)[0]?.body)
    .toStrictEqual({ reason: "It holds names of people." });
});
