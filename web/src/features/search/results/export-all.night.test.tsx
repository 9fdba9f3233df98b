import { exports } from "@fairway/contract/exports";
import { defaultLimits } from "@fairway/contract/limits";
import { live } from "@fairway/contract/live";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { fewRows, katrina, openResults, act } from "#testing/results.ts";
import { dialog, done, downloadLink, open, progress, running, serveExports, start } from "#testing/exports-screen.ts";
import { datasets } from "@fairway/contract/datasets";
import { demoDataset } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";

beforeEach(serveExports);

it("offers Arrow, which holds every column", async () => {
  await openResults(katrina);
  await open();
  await dialog().getByRole("radio", { name: "Arrow", exact: true }).click();
  await start().click();
  await expect.element(downloadLink()).toBeVisible();
  expect(gateway.received(exports.start).map(({ body }) => body)).toEqual([
    { format: "arrow", search: { filters: [{ name: "name", value: "Katrina", operator: "=" }] } },
  ]);
});

it("offers Excel with the visible columns", async () => {
  await openResults(katrina);
  await open();
  await dialog().getByRole("radio", { name: "Excel (.xlsx)", exact: true }).click();
  await start().click();
  await expect.element(downloadLink()).toBeVisible();
  expect(gateway.received(exports.start).map(({ body }) => body)).toEqual([
    { format: "xlsx", columns: expect.arrayContaining(["name"]), search: { filters: [{ name: "name", value: "Katrina", operator: "=" }] } },
  ]);
});

it("shows the progress of a running export, which survives closing the dialog and a reload", async () => {
  gateway.answer(exports.state, running);
  await openResults(katrina);
  await open();
  await start().click();
  await expect.element(progress()).toBeVisible();
  await dialog().getByText("Close", { exact: true }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await open();
  await expect.element(dialog()).toHaveTextContent("34 of 68 rows written");
  await openScreen(location.pathname + location.hash);
  await expect.element(page.getByRole("gridcell").first()).toBeVisible();
  gateway.answer(exports.state, done);
  await open();
  await expect.element(downloadLink()).toBeVisible();
  expect(gateway.received(exports.start)).toHaveLength(1);
});

it("reads a running export when live changes report it rather than several times a second", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const stream = gateway.serveEvents(live.stream, { kind: "open", build: null });
  gateway.answer(exports.state, running);
  await openResults(katrina);
  await vi.waitFor(() => expect(stream.open).toBe(1), 15_000);
  await open();
  await start().click();
  await expect.element(progress()).toBeVisible();
  await vi.waitFor(() => expect(gateway.received(exports.state)).toHaveLength(1), 15_000);
  stream.send({ kind: "changed", topic: "exports", id: "another" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gateway.received(exports.state)).toHaveLength(1);
  gateway.answer(exports.state, { ...running, rows: 51 });
  stream.send({ kind: "changed", topic: "exports", id: "export-1" });
  await expect.element(dialog()).toHaveTextContent("51 of 68 rows written");
  gateway.answer(exports.state, done);
  // Should the stream miss something.
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.element(downloadLink()).toBeVisible();
  expect(gateway.received(exports.state)).toHaveLength(3);
});

it("shows why a start was refused, an export failed or the server no longer has it, and can start again; polls again after a network failure", async () => {
  const refusal = "You already have an export running. Wait until it finishes, or cancel it.";
  const failure = "The server's disk is full.";
  gateway.refuse(exports.start, "too-many-requests", refusal, { times: 1 });
  gateway.disconnect(exports.state, { times: 1 });
  gateway.refuse(exports.state, "not-found", "There is no such export.", { times: 1 });
  gateway.answer(exports.state, { ...done, status: "failed", file: null, failure }, { times: 1 });
  await openResults(katrina);
  await open();
  for (const reason of [refusal, failure, "The server no longer has this export. Start it again."]) {
    await start().click();
    await expectText(dialog().getByRole("alert"), reason);
  }
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await start().click();
  await expectText(dialog().getByRole("alert"), "The server could not be reached. Trying again …");
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.element(downloadLink()).toBeVisible();
  await expect.element(downloadLink()).toHaveFocus();
  await expect.element(dialog().getByRole("alert")).not.toBeInTheDocument();
});

it("warns about truncation before the start if known, and with the file", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, limits: { ...defaultLimits, exportMaxRows: 50 } });
  gateway.answer(exports.state, { ...done, rows: 50, cut: true });
  await openResults(katrina);
  await open();
  await expect
    .element(dialog())
    .toHaveTextContent("The search finds 68 rows, and one export may contain 50: the file will be cut off there.");
  await start().click();
  await expectText(
    dialog().getByRole("alert"),
    "This file is cut off: it has 50 rows, the most that one export may contain, and 68 match. Its name ends in -cut, and the manifest says so.",
  );
});

it("fits desktops and phones in every phase, without axe violations in both themes", async () => {
  gateway.answer(exports.state, running);
  await openResults(fewRows);
  await open();
  const expectGood = async () => {
    await expectAccessible({ within: ["[role=dialog]"] });
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.viewport(width, height);
      const { left, right } = dialog().element().getBoundingClientRect();
      expect(left >= 0 && right <= width).toBe(true);
    }
  };
  await expectGood();
  await start().click();
  await expect.element(dialog()).toHaveTextContent("34 of 68 rows written");
  await expectGood();
  gateway.answer(exports.state, { ...done, cut: true });
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("This file is cut");
  await expectGood();
});

it("cancels a running export, can start another, and ends it when the search is closed", async () => {
  gateway.answer(exports.state, running);
  await openResults(katrina);
  await open();
  await start().click();
  await expect.element(dialog().getByRole("button", { name: "Cancel Export" })).toHaveFocus();
  await press("Enter");
  await expect.element(dialog()).toHaveTextContent("The export was canceled.");
  expect(gateway.received(exports.remove).map(({ params }) => params.exportId)).toEqual(["export-1"]);
  await start().click();
  await expect.element(progress()).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await act("Close Search");
  await page.getByRole("dialog", { name: "Close Search?" }).getByRole("button", { name: "Close Search" }).click();
  await expect.poll(() => gateway.received(exports.remove)).toHaveLength(2);
});

it("is not offered for a sample or a dataset without export support", async () => {
  await openResults({ category: katrina.category, dataset: katrina.dataset, isSample: true });
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Export Current Results" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Export All Results" })).not.toBeInTheDocument();
  gateway.answer(datasets.describe, { ...demoDataset("storm-tracks").description, assists: [] });
  await openResults(katrina);
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Export Current Results" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Export All Results" })).not.toBeInTheDocument();
});
