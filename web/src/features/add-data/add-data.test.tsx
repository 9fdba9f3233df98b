import { imports } from "@fairway/contract/imports";
import { expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { FakeTransfer, fakeTransfers } from "#testing/fake-transfers.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { dropFiles } from "#testing/own-data.ts";
import { expectKeptEditing } from "#testing/readings.ts";
import { create, panel, question, serve } from "#testing/import-pages.ts";

const created = { datasetCategory: "People & economy", datasetId: "country-development", id: "own-1", supportsMapResults: false };

/** A file, and transfers that the test answers. */
function rainFile(): File {
  fakeTransfers();
  onTestFinished(() => void vi.unstubAllGlobals());
  return new File(["x".repeat(58_000)], "rain-2024.csv", { lastModified: 1_700_000_000_000 });
}

it("shows how a file is read beside its rows, waits for the open question, and goes to the rows of what was created", async () => {
  const served = serve();
  gateway.answer(imports.create, () => {
    served.change({ status: "done", dataset: created });
    return served.data();
  });
  await openScreen("/add-data/import-1");
  await expect.element(page.getByRole("textbox", { name: "Name of the dataset" })).toHaveValue("rain-2024");
  await expect.element(page.getByText("rain-2024.csv, 58.0 KB, 1,200 rows, 7 columns")).toBeVisible();
  await expect.element(page.getByRole("columnheader", { name: /wet_days.*5 of 1,197 not read/ })).toBeVisible();
  await expect.element(page.getByRole("gridcell", { name: "7? could not be read" })).toBeVisible();
  await expect.element(page.getByText("First 20 of 1,200 rows, all values were checked")).toBeVisible();
  await expect.element(create()).toBeDisabled();
  await expect.element(page.getByText("Answer one question")).toBeVisible();
  await expectAccessible();
  await question().getByRole("radio", { name: "Month first" }).click();
  await question().getByRole("button", { name: "Use month first" }).click();
  await expect.element(question()).not.toBeInTheDocument();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({ answers: { dateOrder: "month-first" } });
  await create().click();
  await expect.poll(() => location.pathname).toMatch(/^\/search\//);
  expect(gateway.received(imports.create).at(-1)?.body).toStrictEqual({
    name: "rain-2024",
    fields: { temporalField: "month", latitude: "lat", longitude: "lon", itemField: "station" },
  });
  await expect.element(page.getByRole("grid", { name: /country-development/ })).toBeVisible();
});

it("sends a dropped file in parts, shows what has arrived, and asks before leaving stops that", async () => {
  const served = serve({ status: "uploading", reading: null, sample: null, openQuestions: [], files: [incomplete] });
  gateway.answer(imports.partUrl, { uploadUrl: "/api/imports/import-1/files/1/parts/1?signature=s" });
  const file = rainFile();
  await openScreen("/search");
  await expect.element(page.getByRole("link", { name: "Add data" })).toBeVisible();
  await dropFiles(page.getByRole("heading", { name: "Datasets", level: 1 }), [file]);
  await expect.poll(() => location.pathname).toBe("/add-data/import-1");
  expect(gateway.received(imports.start).at(-1)?.body).toMatchObject({
    files: [{ file: "rain-2024.csv", size: 58_000, version: "1700000000000" }],
    hints: { dateOrder: "month-first" },
  });
  const transfer = await sentPart();
  transfer.progress(50);
  await expect.element(page.getByText("Sending, 29.0 KB of 58.0 KB").first()).toBeVisible();
  await expect.element(page.getByText("Wait for the file to arrive")).toBeVisible();
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Boards" }).click();
  const stop = page.getByRole("dialog", { name: "Stop sending the file?" });
  await stop.getByRole("button", { name: "Cancel" }).click();
  served.change({ status: "ready", reading: undefined, sample: undefined, openQuestions: undefined, files: undefined });
  transfer.answer(204);
  await expect.element(question()).toBeVisible();
  expect(gateway.received(imports.complete)).toHaveLength(1);
});

const incomplete = { number: 1, file: "rain-2024.csv", size: 58_000, partBytes: 8_000_000, received: [], version: "1700000000000" };

it("asks for the file again after a reload, and takes only the same version", async () => {
  serve({ status: "uploading", reading: null, sample: null, openQuestions: [], files: [incomplete] });
  gateway.answer(imports.partUrl, { uploadUrl: "/api/imports/import-1/files/1/parts/1?signature=s" });
  const file = rainFile();
  await openScreen("/add-data/import-1");
  const again = panel().getByText("0 bytes of 58.0 KB have arrived. Choose 'rain-2024.csv' again to send the rest.");
  await expect.element(again).toBeVisible();
  await dropFiles(again, [new File(["y"], "rain-2024.csv")]);
  await expect.element(panel().getByRole("alert")).toHaveTextContent("'rain-2024.csv' has changed since it was chosen first.");
  await dropFiles(again, [file]);
  expect((await sentPart()).url).toContain("/parts/1");
  await expect.element(again).not.toBeInTheDocument();
});

const sentPart = () => vi.waitUntil(() => FakeTransfer.sent[0], { timeout: 10_000 });

it("reads a column in another way, and leaves one out", async () => {
  serve();
  await openScreen("/add-data/import-1");
  await page
    .getByRole("columnheader", { name: /wet_days/ })
    .getByRole("button")
    .click();
  const dialog = page.getByRole("dialog", { name: "wet_days" });
  await dialog.getByRole("radio", { name: "Text" }).click();
  await press("Escape");
  await expectKeptEditing();
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("columnheader", { name: /wet_days.*Text/ })).toBeVisible();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({ columns: { wet_days: { type: "STRING", format: null } } });
  await page.getByRole("columnheader", { name: /place/ }).getByRole("button").click();
  await page.getByRole("dialog", { name: "place" }).getByRole("checkbox", { name: "Leave this column out" }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.element(page.getByRole("columnheader", { name: /place/ })).not.toBeInTheDocument();
  await panel().getByRole("button", { name: "Put place back" }).click();
  await expect.element(page.getByRole("columnheader", { name: /place/ })).toBeVisible();
});

it("says why a file cannot be read, and what a name collides with", async () => {
  const served = serve({
    status: "failed",
    reading: null,
    sample: null,
    openQuestions: [],
    failure: { kind: "invalid-request", message: "The file has no rows." },
  });
  await openScreen("/add-data/import-1");
  await expect.element(panel().getByRole("alert")).toHaveTextContent("The file has no rows.");
  await expect.element(panel().getByRole("link", { name: "Choose another file" })).toHaveAttribute("href", "/add-data");
  served.change({ status: "ready", reading: undefined, sample: undefined, openQuestions: [], failure: null });
  gateway.refuse(imports.create, "name-taken", "You have a dataset with this name already.", { path: "name" });
  await openScreen("/add-data/import-1");
  await create().click();
  await expect.element(page.getByText("You have a dataset with this name already.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name of the dataset" }).fill("rain-2025");
  await expect.element(page.getByText("You have a dataset with this name already.")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => location.pathname).toBe("/add-data");
  expect(gateway.received(imports.discard)).toHaveLength(1);
});

it("lists the differences of rows that are added in place of the name, and waits until they are accepted", async () => {
  const served = serve({
    into: { datasetCategory: "~ada", datasetId: "rain-2024", mode: "append" },
    openQuestions: [],
    drift: [
      { kind: "new-column", column: "snow", sentence: "'snow' is a new column; it is empty in older rows." },
      { kind: "same-file", file: "rain-2024.csv", sentence: "This file was added on 2026-11-20. Add it again?" },
    ],
  });
  gateway.answer(imports.create, () => {
    served.change({ status: "done", dataset: created });
    return served.data();
  });
  await openScreen("/add-data/import-1");
  await expect.element(page.getByRole("heading", { level: 1, name: "Add rows to rain-2024" })).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Name of the dataset" })).not.toBeInTheDocument();
  const append = page.getByRole("button", { name: "Append rows" });
  await expect.element(append).toBeDisabled();
  await expect.element(page.getByText("Accept 2 differences")).toBeVisible();
  await expectAccessible();
  await page.getByRole("checkbox", { name: "Add the new columns" }).click();
  await page.getByRole("checkbox", { name: "Add it again" }).click();
  await append.click();
  await expect.poll(() => location.pathname).toMatch(/^\/search\//);
  expect(gateway.received(imports.create).at(-1)?.body).toStrictEqual({ acceptDrift: ["new-column", "same-file"] });
});

it("saves a reading as a new version only once it is changed", async () => {
  const { change } = serve({
    into: { datasetCategory: "~ada", datasetId: "rain-2024", mode: "read-again" },
    openQuestions: [],
    isUnchanged: true,
  });
  await openScreen("/add-data/import-1");
  const save = page.getByRole("button", { name: "Save as new version" });
  await expect.element(save).toBeDisabled();
  await expect.element(save).toHaveAccessibleDescription("Change how it is read first");
  change({ isUnchanged: false });
  await panel()
    .getByRole("button", { name: /^Windows-1252/ })
    .click();
  await panel().getByRole("combobox", { name: "Encoding" }).selectOptions("UTF-8");
  await expect.element(save).toBeEnabled();
});

it("lets administrators alone make a dataset for everyone", async () => {
  serve({ openQuestions: [] });
  await openScreen("/add-data/import-1", { roles: ["admin"] });
  const kind = page.getByRole("combobox", { name: "Kind of dataset" });
  await expect.element(kind).toHaveValue("own");
  await kind.selectOptions("Dataset for everyone in category …");
  await expect.element(page.getByText("Enter a category")).toBeVisible();
  await page.getByRole("textbox", { name: "Category" }).fill("Weather");
  await expect.element(page.getByText("Only you will see this dataset")).not.toBeInTheDocument();
  await openScreen("/add-data/import-1", { roles: ["editor"] });
  await expect.element(page.getByRole("textbox", { name: "Name of the dataset" })).toBeVisible();
  await expect.element(kind).not.toBeInTheDocument();
});

it("shows the whole kind of a dataset for everyone on a small screen", async () => {
  onTestFinished(async () => page.viewport(1440, 900));
  await page.viewport(1280, 800);
  serve({ openQuestions: [] });
  await openScreen("/add-data/import-1", { roles: ["admin"] });
  const kind = page.getByRole("combobox", { name: "Kind of dataset" });
  await kind.selectOptions("Dataset for everyone in category …");
  await expect.element(page.getByText("Enter a category")).toBeVisible();
  const select = kind.element() as HTMLSelectElement;
  const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select);
  const context = document.createElement("canvas").getContext("2d");
  if (!context) throw new Error("The browser measures no texts.");
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const text = context.measureText(select.selectedOptions[0]?.text ?? "").width;
  expect(select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)).toBeGreaterThanOrEqual(Math.floor(text));
  // Nor do the fields take the title's room.
  const title = page.getByRole("heading", { level: 1 }).element();
  expect(title.scrollWidth).toBeLessThanOrEqual(title.clientWidth);
});

it("says that decimal marks differ by column", async () => {
  serve();
  await openScreen("/add-data/import-1");
  await expect.element(panel().getByRole("button", { name: "Decimal point and comma Each column in its own way" })).toBeVisible();
});
