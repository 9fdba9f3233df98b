import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { tools } from "@fairway/contract/tools";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import pythonGuide from "../../../../../sdk/guides/python-client.md?raw";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, facts } from "#testing/schema-facts.ts";

const pythonClient = { display: "Python client", name: "pythonclient", version: "1", description: "", files: [] };

it("facts and relations that fail leave the schema usable, and are retried each for itself", async () => {
  gateway.refuse(datasetFactRoutes.facts, "internal", "It broke.", { times: 1 });
  gateway.answer(datasetFactRoutes.facts, [facts]);
  gateway.refuse(datasetFactRoutes.facts, "internal", "It broke.", { times: 1 });
  gateway.refuse(datasetFactRoutes.relations, "internal", "Relations broke.");
  await openScreen(address);
  await expect.element(page.getByRole("rowheader", { name: /storm_id/ })).toBeVisible();
  await expect.element(page.getByRole("alert").filter({ hasText: "The relations could not be loaded. Relations broke." })).toBeVisible();
  const failed = page.getByRole("alert").filter({ hasText: "The facts about the datasets could not be loaded." });
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("region", { name: "Facts" })).toBeVisible();
});

it("shows how to call the dataset, with examples of the clients' guides", async () => {
  gateway.answer(tools.list, [pythonClient]);
  gateway.answer(tools.guide, pythonGuide);
  await openScreen(address);
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "API Example" }).click();
  const dialog = page.getByRole("dialog", { name: "How to call storm-tracks" });
  await expect
    .element(dialog.getByLabelText("cURL example", { exact: true }))
    .toHaveTextContent("/api/datasets/Tropical%20weather/storm-tracks/search");
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await dialog.getByRole("button", { name: "Copy cURL example" }).click();
  expect(copy.mock.calls[0]?.[0]).toContain(`curl --fail-with-body '${location.origin}/api/datasets/`);
  copy.mockRestore();
  await dialog.getByText("Python", { exact: true }).click();
  await expect.element(dialog.getByLabelText("Python example", { exact: true })).toHaveTextContent('"Tropical weather/storm-tracks"');
  await expect.element(dialog.getByText("Replace the example value of storm_id.")).toBeVisible();
  await expect.element(dialog.getByRole("link", { name: "Download the Python client, and read its guide" })).toBeVisible();
  await dialog.getByText("TypeScript", { exact: true }).click();
  await expect.element(dialog.getByText("This portal does not offer a client for TypeScript.")).toBeVisible();
});
