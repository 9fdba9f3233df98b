import { filesets } from "@fairway/contract/filesets";
import type { CellValue } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { demoDataset, serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { collectDownloads } from "#testing/files.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { copied, focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, alterColumns, alterRows, cell, grid, header, katrina, openResults } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

const quakes = { category: "Natural hazards", dataset: "earthquakes", filters: [["mag", ">=", 6]] } as const;

it("[RESULT-52] joins the fields of a combined column as the dataset declares, and shows every column in the row details, including hidden ones, with full values", async () => {
  alterColumns((columns) =>
    columns.map((column) => (column.combined ? { ...column, combined: { ...column.combined, joinedBy: " ~ " } } : column)),
  );
  const long = `${"w".repeat(400)}.`;
  alterRows((rows) => rows.map((row) => ({ ...row, name: long })).slice(0, 1));
  await openResults(katrina);
  await expectText(cell(1, "position"), "37 ~ -87");
  await act("Show Column Visibility");
  await page.getByRole("checkbox", { name: "status", exact: true }).click();
  await cell(1, "season").click();
  const fields = page.getByRole("region", { name: "Row details" }).getByRole("region", { name: "Fields" });
  await expectCount(fields.css("dt"), 17);
  await expect.element(fields.getByText("status", { exact: true })).toBeVisible();
  await expect.element(fields.getByText(long, { exact: true })).toBeVisible();
});

it("[RESULT-54] shows timestamps in UTC to the second, midnight and noon as 12", async () => {
  const times = [1_517_966_773_840, 1_517_875_200_000, 1_517_918_400_999, 0];
  alterRows((rows) => rows.map((row, index) => ({ ...row, time: times[index] ?? null })).slice(0, times.length));
  await openResults(quakes);
  await expectText(cell(1, "time"), "02/07/2018, 01:26:13 AM");
  await expectText(cell(2, "time"), "02/06/2018, 12:00:00 AM");
  await expectText(cell(3, "time"), "02/06/2018, 12:00:00 PM");
  await expectText(cell(4, "time"), "01/01/1970, 12:00:00 AM");
  await expectCount(page.getByRole("button", { name: "Times in UTC", exact: true }), 1);
  await expect.element(grid().getByText("UTC")).not.toBeInTheDocument();
});

it("[RESULT-46][RESULT-47] truncates text beyond 200 characters with 'See More', which shows all of it by mouse and keyboard", async () => {
  const long = `${"long text ".repeat(499)}the end.!!`;
  expect(long).toHaveLength(5_000);
  const texts = [long, "y".repeat(200), "z".repeat(201)];
  alterRows((rows) => rows.map((row, index) => ({ ...row, name: texts[index] ?? null })).slice(0, texts.length));
  await openResults(katrina);
  await expect.element(cell(1, "name")).toHaveTextContent("See More");
  await expect.element(cell(1, "name")).not.toHaveTextContent("the end.");
  await expectText(cell(1, "name").css("span").first(), `${long.slice(0, 200)}…`);
  await expectText(cell(2, "name"), "y".repeat(200));
  await expect.element(cell(3, "name")).toHaveTextContent(`${"z".repeat(200)}…See More`);
  await expectCount(grid().getByRole("button", { name: "See More" }), 2);
  await cell(1, "name").getByRole("button", { name: "See More" }).click();
  const dialog = page.getByRole("dialog", { name: "name" });
  await expectText(dialog.getByRole("region", { name: "Full text of name" }), long);
  await expect.element(dialog.getByText("5,000 characters")).toBeVisible();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect.poll(copied).toBe(long);
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("region", { name: "Row details" })).not.toBeInTheDocument();

  // By keyboard.
  await focus(header("name"));
  await press("ArrowDown");
  await press("Tab");
  await expect.element(cell(1, "name").getByRole("button", { name: "See More" })).toHaveFocus();
  await press("Enter");
  await expect.element(dialog.getByText("5,000 characters")).toBeVisible();
});

it("[RESULT-55] shows title and subtitle fields in the row details and steps through the rows from the first to the last", async () => {
  const { rows } = demoDataset("storm-tracks");
  const [first] = rows;
  // Another status, so that stepping is visible.
  const second = rows.find((row) => row["status"] !== first?.["status"]);
  alterRows(() => (first && second ? [first, second] : []));
  await openResults(katrina);
  await cell(1, "season").click();
  const details = page.getByRole("region", { name: "Row details" });
  await expect.element(details.getByRole("heading", { level: 2, name: "Katrina", exact: true })).toBeVisible();
  const subtitle = details.css("header p").first();
  const previous = details.getByRole("button", { name: "Previous row" });
  const next = details.getByRole("button", { name: "Next row" });
  await expectText(subtitle, String(first?.["status"]));
  await expect.element(previous).toBeDisabled();
  await next.click();
  await expect.element(details.getByText("Row 2 of 2 loaded")).toBeVisible();
  await expectText(subtitle, String(second?.["status"]));
  await expect.element(grid().css("[role=row][aria-selected=true]")).toHaveAttribute("aria-rowindex", "3");
  await expect.element(next).toBeDisabled();
  await previous.click();
  await expect.element(details.getByText("Row 1 of 2 loaded")).toBeVisible();
  await expectText(subtitle, String(first?.["status"]));
  await details.getByRole("button", { name: "Close row details" }).click();
  await expect.element(details).not.toBeInTheDocument();
});

const hostile = {
  markup: `<img src=x onerror="window.__ran = true"><script>window.__ran = true</script>`,
  formula: `=HYPERLINK("http://evil.example","click")`,
  rightToLeft: "שלום \u202Egpj.exe",
  emoji: "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  nul: "a\u0000b",
};

it("renders hostile texts as text in the table, the row details, exports and the raw view", async () => {
  const texts = Object.values(hostile);
  alterRows((rows) => rows.map((row, index) => ({ ...row, name: texts[index] ?? null })).slice(0, texts.length));
  const { saved } = collectDownloads();
  await openResults(katrina);
  const details = page.getByRole("region", { name: "Row details" });
  for (const [index, text] of texts.entries()) {
    expect(
      cell(index + 1, "name")
        .css("span")
        .first()
        .element().textContent,
    ).toBe(text);
    await cell(index + 1, "name").click({ position: { x: 4, y: 4 } });
    await expect.element(details.getByText(`Row ${index + 1} of ${texts.length} loaded`)).toBeVisible();
    expect(details.getByRole("heading", { level: 2 }).element().textContent).toBe(text);
  }
  for (const format of ["JSON", "CSV"]) {
    await act("Export Current Results");
    await page.getByRole("dialog", { name: "Export Current Results" }).getByRole("button", { name: format, exact: true }).click();
  }
  await expect.poll(() => saved.length).toBe(2);
  const [json = "", csv = ""] = await Promise.all(saved.map(({ blob }) => blob.text()));
  expect((JSON.parse(json) as Record<string, CellValue>[]).map((row) => row["name"])).toEqual(texts);
  expect(csv).toContain(`,"'=HYPERLINK(""http://evil.example"",""click"")",`);
  expect(csv).toContain(`,"<img src=x onerror=""window.__ran = true""><script>window.__ran = true</script>",`);
  await page.getByText("Raw", { exact: true }).click();
  const raw = page.getByRole("treegrid", { name: "Raw results" });
  await expect.element(raw).toHaveTextContent(JSON.stringify(hostile.markup));
  await expect.element(raw).toHaveTextContent(String.raw`"=HYPERLINK(\"http://evil.example\",\"click\")"`);
  expect("__ran" in window).toBe(false);
  await expectCount(page.getByRole("main").css("img[src=x]"), 0);
});

describe("a FILESET column", () => {
  openOnce(async () => {
    const files = { "by-storm/2005-12-Katrina.csv": 2_300, "by-storm/2005-25-Wilma.csv": 1_200, "README.txt": 10 };
    serveFilesets(gateway, { help: { files } }, ["help"]);
    gateway.answer(filesets.file, ({ query: { file } }) => ({ filename: file, size: 2_300, lastModified: "2026-11-12T09:14:02.000Z" }));
    gateway.answer(filesets.tags, { tags: { year: "2005" } });
    alterColumns((columns) => columns.filter(({ name }) => ["time", "name", "fileset", "track_path", "track file"].includes(name)));
    alterRows((rows) => [{ ...rows[0], fileset: "help", track_path: "by-storm/2005-12-Katrina.csv" }]);
    await openResults(katrina);
    const address = location.href;
    await cell(1, "track file").getByRole("button").click();
    await expect.element(page.getByRole("dialog").getByRole("grid")).toBeVisible();
    expect(location.href).toBe(address);
  });

  const files = page.getByRole("dialog").getByRole("grid");

  it("[RESULT-50] opens the file browser in a dialog", async () => {
    await expect.element(files).toHaveTextContent("2005-12-Katrina.csv");
  });

  it("[RESULT-51][FILESET-43] locks it to the file's folder, also of a hidden fileset", async () => {
    await expect.element(files).not.toHaveTextContent("README.txt");
    expect(gateway.received(filesets.listing).map(({ params, query }) => [params.id, query.listPrefix])).toEqual([["help", "by-storm/"]]);
  });

  it("closes it with Escape", async () => {
    await press("Escape");
    await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  });
});
