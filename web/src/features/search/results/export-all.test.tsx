import { exports } from "@fairway/contract/exports";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { katrina, openResults } from "#testing/results.ts";
import { dialog, done, downloadLink, open, progress, running, serveExports, start } from "#testing/exports-screen.ts";

beforeEach(serveExports);

it("exports the search rather than the loaded rows, and reports an export that ends while the dialog is closed as a toast and offers its file", async () => {
  gateway.answer(exports.state, running);
  await openResults(katrina);
  await open();
  await expect.element(dialog()).toHaveTextContent("Writes all 68 rows of the search, loaded or not, to a file.");
  await dialog().getByRole("radio", { name: "JSON", exact: true }).click();
  await start().click();
  await expect.element(progress()).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  gateway.answer(exports.state, done);
  await expect.element(page.getByText("The export of storm-tracks is ready: Actions, Export All Results")).toBeVisible();
  await open();
  await expect.element(downloadLink()).toHaveAttribute("href", "/api/exports/export-1/file");
  await expect.element(dialog()).toHaveTextContent(/68 rows, [\d.]+ KB\. The server keeps the file for an hour\./);
  expect(gateway.received(exports.start).map(({ body }) => body)).toEqual([
    { format: "json", search: { filters: [{ name: "name", value: "Katrina", operator: "=" }] } },
  ]);
});
