import { imports } from "@fairway/contract/imports";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { FakeTransfer, fakeTransfers } from "#testing/fake-transfers.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildOwnData, dropFiles, serveImport } from "#testing/own-data.ts";
import { expectKeptEditing } from "#testing/readings.ts";

const panel = () => page.getByRole("region", { name: "How it is read" });
const create = () => page.getByRole("button", { name: "Create dataset" });
const question = () => panel().getByRole("radiogroup", { name: "Is 01/02/2024 in February or January?" });
const created = { datasetCategory: "People & economy", datasetId: "country-development", id: "own-1", supportsMapResults: false };

function serve(overrides: Parameters<typeof serveImport>[1] = {}) {
  gateway.answer(ownDatasets.list, buildOwnData());
  return serveImport(gateway, overrides);
}

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

const complete = { number: 1, file: "rain-2024.csv", size: 58_000, partBytes: 8_000_000, received: [1] };
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

it("says what a column's choice would lose, and stays open", async () => {
  serve();
  await openScreen("/add-data/import-1");
  await page
    .getByRole("columnheader", { name: /wet_days/ })
    .getByRole("button")
    .click();
  gateway.refuse(imports.choose, "invalid-value", "1,204 of 1,500 values of 'wet_days' are no integers.", { path: "columns.wet_days" });
  await page.getByRole("radio", { name: "Text" }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect
    .element(page.getByRole("dialog").getByRole("alert"))
    .toHaveTextContent("1,204 of 1,500 values of 'wet_days' are no integers.");
});

it("opens the choices of what was understood, below each line", async () => {
  serve();
  await openScreen("/add-data/import-1");
  await panel().getByRole("button", { name: "Windows-1252" }).click();
  await panel().getByRole("combobox", { name: "Encoding" }).selectOptions("UTF-8");
  await expect.element(panel().getByRole("button", { name: "UTF-8" })).toBeVisible();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({ files: { "1": { encoding: "utf-8" } } });
  await panel()
    .getByRole("button", { name: /^Location/ })
    .click();
  await panel().getByRole("combobox", { name: "Latitude" }).selectOptions("None");
  await expect.element(panel().getByRole("button", { name: /^No location/ })).toBeVisible();
  await panel().getByRole("button", { name: "Show the unread values of wet_days" }).click();
  const unread = page.getByRole("dialog", { name: "Could not be read: wet_days" });
  await expectTexts(unread.getByRole("cell"), ["9", "wet_days", "7? no whole number"]);
});

it("is used by the keyboard alone", async () => {
  const served = serve();
  gateway.answer(imports.create, () => {
    served.change({ status: "creating" });
    return served.data();
  });
  await openScreen("/add-data/import-1");
  await expect.element(question()).toBeVisible();
  await press("Control+Enter", page.getByRole("heading", { level: 1 }));
  expect(gateway.received(imports.create)).toHaveLength(0);
  await press("n");
  await expect.element(question().getByRole("radio", { name: "Day first" })).toHaveFocus();
  await press("ArrowDown");
  await press("Enter", question().getByRole("button", { name: "Use month first" }));
  await expect.element(question()).not.toBeInTheDocument();
  await press("u", page.getByRole("heading", { level: 1 }));
  await expect.element(page.getByRole("gridcell", { name: "7? could not be read" })).toHaveFocus();
  await press("F6");
  await expect.poll(() => panel().element().contains(document.activeElement)).toBe(true);
  await press("F6");
  await expect.element(page.getByRole("gridcell", { name: "7? could not be read" })).toHaveFocus();
  await press("Control+ArrowUp");
  await press("ArrowUp");
  await expect.element(page.getByRole("columnheader", { name: /wet_days/ })).toHaveFocus();
  await press("ArrowLeft");
  await press("Enter");
  await expect.element(page.getByRole("dialog", { name: "rain" })).toBeVisible();
  await press("Escape");
  await press("Control+Enter", page.getByRole("heading", { level: 1 }));
  await expect.poll(() => gateway.received(imports.create)).toHaveLength(1);
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

it("creates of a file with types of its own, which has no reading", async () => {
  const served = serve({ reading: null, openQuestions: [] });
  gateway.answer(imports.create, () => {
    served.change({ status: "creating" });
    return served.data();
  });
  await openScreen("/add-data/import-1");
  await expect.element(panel().getByText("The columns have the types of the file.")).toBeVisible();
  await expect.element(panel().getByRole("button", { name: /^Location/ })).toBeVisible();
  await create().click();
  await expect.poll(() => gateway.received(imports.create)).toHaveLength(1);
});

it("offers the other files of an archive, and the sheets of a workbook that can be one dataset", async () => {
  const csv = { names: ["2023.csv", "2024.csv"], count: 2, format: "csv", bytes: 12_000 };
  const json = { names: ["ports.json"], count: 1, format: "json-lines", bytes: 800 };
  const { data, change } = serve({ files: [{ ...complete, file: "data.zip", contents: { taken: csv, others: [json] } }] });
  await openScreen("/add-data/import-1");
  await panel().getByRole("button", { name: "2023.csv and 1 more Of data.zip, which holds others" }).click();
  await panel().getByRole("combobox", { name: "Files of data.zip" }).selectOptions("ports.json");
  expect(gateway.received(imports.choose).at(-1)?.body).toMatchObject({
    files: { 1: { entry: "ports.json", headerLine: null } },
    columns: null,
  });

  const reading = data().reading;
  const [file] = reading?.files ?? [];
  if (!file || reading === null) throw new Error("the import has been read");
  const sheets = ["Jan", "Feb", "Notes"].map((name) => ({ name, isHidden: false, isAlike: name !== "Notes" }));
  const sheet = { ...file, format: "xlsx" as const, delimiter: null, sheet: "Jan", sheets };
  change({ files: [complete], reading: { ...reading, files: [sheet] } });
  await openScreen("/add-data/import-1");
  await panel().getByRole("button", { name: "Sheet Jan" }).click();
  await panel().getByRole("combobox", { name: "Sheet" }).selectOptions("All 2 sheets with these columns");
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({
    files: { 1: { sheets: ["Jan", "Feb"], sheet: null, headerLine: null } },
  });
  change({ reading: { ...reading, fileCount: 2, files: [sheet, { ...sheet, sheet: "Feb" }] } });
  await openScreen("/add-data/import-1");
  await expect.element(panel().getByRole("button", { name: "Sheets Jan and Feb" })).toBeVisible();
});

it("reads some of the sheets of a workbook as one", async () => {
  const { change, data } = serve();
  const { reading } = data();
  const [file] = reading?.files ?? [];
  if (!file || reading === null) throw new Error("the import has been read");
  const sheets = ["Jan", "Feb", "Mar", "Apr", "Notes"].map((name) => ({ name, isHidden: false, isAlike: name !== "Notes" }));
  const sheet = { ...file, format: "xlsx" as const, delimiter: null, sheet: "Jan", sheets };
  change({ reading: { ...reading, files: [sheet] } });
  await openScreen("/add-data/import-1");
  await panel().getByRole("button", { name: "Sheet Jan" }).click();
  const group = panel().getByRole("group", { name: "Sheets that are read as one" });
  await expectTexts(group.getByRole("checkbox", { checked: true }), [""]);
  await group.getByRole("checkbox", { name: "Apr" }).click();
  await group.getByRole("checkbox", { name: "Feb" }).click();
  await expect.element(panel().getByRole("button", { name: "Read these 3 sheets" })).toBeEnabled();
  await expectAccessible();
  change({ reading: { ...reading, fileCount: 3, files: [sheet, { ...sheet, sheet: "Feb" }, { ...sheet, sheet: "Apr" }] } });
  await panel().getByRole("button", { name: "Read these 3 sheets" }).click();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({
    files: { 1: { sheets: ["Jan", "Feb", "Apr"], sheet: null, headerLine: null } },
  });
  await expect.element(panel().getByRole("combobox", { name: "Sheet" })).toHaveDisplayValue("3 of 4 sheets with these columns");
});

it("asks which files of an archive are meant", async () => {
  const { change, data } = serve({ openQuestions: ["entry:1"] });
  const { reading } = data();
  if (reading === null) throw new Error("the import has been read");
  const option = (name: string) => ({ option: name, label: name, examples: [] });
  const question = {
    question: "entry:1",
    columns: [],
    sentence: "Which data of 'data.zip' is meant?",
    options: [option("rain.csv"), option("ports.json")],
    taken: "rain.csv",
    isAnswered: false,
  };
  change({ reading: { ...reading, questions: [question] } });
  await openScreen("/add-data/import-1");
  await expect.element(create()).toBeDisabled();
  const asked = panel().getByRole("radiogroup", { name: question.sentence });
  await asked.getByRole("radio", { name: "ports.json" }).click();
  await asked.getByRole("button", { name: "Take ports.json" }).click();
  expect(gateway.received(imports.choose).at(-1)?.body).toMatchObject({
    files: { 1: { entry: "ports.json", encoding: null } },
    columns: null,
  });
});

it("changes the words for no value, of the file and of a column", async () => {
  serve();
  await openScreen("/add-data/import-1");
  await panel().getByRole("button", { name: "Words for no value n/a, na, unknown, - …" }).click();
  const field = panel().getByLabelText("Words for no value").first();
  await field.fill("Keine Angabe");
  await press("Enter");
  expect(gateway.received(imports.choose)).toHaveLength(0);
  await panel().getByRole("button", { name: "Apply" }).click();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({ missingWords: ["n/a", "na", "unknown", "-", "?", "Keine Angabe"] });
  await panel().getByRole("button", { name: "Usual words" }).click();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({ missingWords: null });

  await page.getByRole("columnheader", { name: /rain/ }).getByRole("button").first().click();
  const dialog = page.getByRole("dialog", { name: "rain" });
  await dialog.getByLabelText("Words for no value").first().fill("k. M.");
  await press("Enter");
  await dialog.getByRole("button", { name: "Apply" }).click();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({
    columns: { rain: { missingWords: ["n/a", "na", "unknown", "-", "?", "k. M."] } },
  });
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
