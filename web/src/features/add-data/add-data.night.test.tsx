import { imports } from "@fairway/contract/imports";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { create, panel, question, serve } from "#testing/import-pages.ts";

const complete = { number: 1, file: "rain-2024.csv", size: 58_000, partBytes: 8_000_000, received: [1] };

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
