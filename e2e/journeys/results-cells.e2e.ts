import type { Column } from "@fairway/contract/columns";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { expect, test } from "../support/fixtures.ts";
import { exportedRows, exportResults } from "../support/results-export.ts";
import {
  act,
  alterColumns,
  alterRows,
  cell,
  grid,
  header,
  katrina,
  openResults,
  portalApi,
  shownColumns,
  utcText,
} from "../support/results.ts";

const quakes = { category: "Natural hazards", dataset: "earthquakes", filters: [["mag", ">=", 5]] } as const;

test("[RESULT-20][RESULT-52][RESULT-54] the table shows the server's rows: values as they came, times in UTC, combined columns joined", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  const api = await portalApi(request);
  const rows = await api.rows(katrina, { offset: 0, max: 25 });
  const { schema } = await api.describe(katrina);
  const shown = await shownColumns(page);
  expect(shown.slice(0, 8)).toEqual(schema.columns.slice(0, 8).map(({ name }) => name));
  for (const row of [1, 10]) {
    for (const column of schema.columns.slice(0, 8)) {
      const expected = textOf(column, rows[row - 1]);
      await expect(cell(page, row, column.name).locator("span").first()).toHaveText(expected);
    }
  }
  // One value written out, so that the test does not lean on its own helper: 1125424800 s is the afternoon of a summer's day in New York too.
  await expect(cell(page, 1, "time")).toHaveText("08/30/2005, 06:00:00 PM");
  await expect(cell(page, 1, "position")).toHaveText("37, -87");
});

function textOf({ name, type, combined }: Column, row: ResultRow | undefined): string {
  if (combined) return combined.fields.map((field) => String(row?.[field])).join(combined.joinedBy);
  const value = row?.[name];
  return type === "TIMESTAMP_SECONDS" ? utcText(Number(value) * 1_000) : String(value);
}

test("[RESULT-52] a combined column joins its fields by what the dataset says", async ({ page, signIn }) => {
  await signIn();
  await alterColumns(page, (columns) =>
    columns.map((column) => (column.combined ? { ...column, combined: { ...column.combined, joinedBy: " ~ " } } : column)),
  );
  await openResults(page, katrina);
  await expect(cell(page, 1, "position")).toHaveText("37 ~ -87");
});

test("[RESULT-54] times in milliseconds are shown in UTC to the second, midnight and noon as 12", async ({ page, request, signIn }) => {
  await signIn();
  const times = [1_517_966_773_840, 1_517_875_200_000, 1_517_918_400_999, 0];
  await alterRows(page, (rows) => rows.map((row, index) => ({ ...row, time: times[index] ?? row["time"] })));
  await openResults(page, quakes);
  await expect(cell(page, 1, "time")).toHaveText("02/07/2018, 01:26:13 AM");
  await expect(cell(page, 2, "time")).toHaveText("02/06/2018, 12:00:00 AM");
  await expect(cell(page, 3, "time")).toHaveText("02/06/2018, 12:00:00 PM");
  await expect(cell(page, 4, "time")).toHaveText("01/01/1970, 12:00:00 AM");
  const rows = await (await portalApi(request)).rows(quakes, { offset: 0, max: 25 });
  await expect(cell(page, 5, "time")).toHaveText(utcText(Number(rows[4]?.["time"])));
  await expect(page.getByRole("button", { name: "Times in UTC", exact: true })).toHaveCount(1);
  await expect(grid(page).getByText("UTC")).toHaveCount(0);
});

test("[RESULT-46][RESULT-47] text beyond 200 characters is cut with 'See More', which opens all of it", async ({ page, signIn }) => {
  await signIn();
  const long = `${"long text ".repeat(499)}the end.!!`;
  expect(long).toHaveLength(5_000);
  const texts = [long, "y".repeat(200), "z".repeat(201)];
  await alterRows(page, (rows) => rows.map((row, index) => ({ ...row, name: texts[index] ?? row["name"] })));
  await openResults(page, katrina);
  await expect(cell(page, 1, "name")).toContainText("See More");
  await expect(cell(page, 1, "name")).not.toContainText("the end.");
  await expect(cell(page, 1, "name").locator("span").first()).toHaveText(`${long.slice(0, 200)}…`);
  await expect(cell(page, 2, "name")).toHaveText("y".repeat(200));
  await expect(cell(page, 3, "name")).toContainText(`${"z".repeat(200)}…See More`);
  await expect(grid(page).getByRole("button", { name: "See More" })).toHaveCount(2);
  await cell(page, 1, "name").getByRole("button", { name: "See More" }).click();
  const dialog = page.getByRole("dialog", { name: "name" });
  await expect(dialog.getByRole("region", { name: "Full text of name" })).toHaveText(long);
  await expect(dialog.getByText("5,000 characters")).toBeVisible();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(long);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Row details" })).toHaveCount(0);
});

test("[RESULT-46] 'See More' is reached and pressed by the keyboard", async ({ page, signIn }) => {
  await signIn();
  await alterRows(page, (rows) => rows.map((row) => ({ ...row, name: "w".repeat(300) })));
  await openResults(page, katrina);
  await header(page, "name").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(cell(page, 1, "name").getByRole("button", { name: "See More" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "name" }).getByText("300 characters")).toBeVisible();
});

const hostile = {
  markup: `<img src=x onerror="window.__ran = true"><script>window.__ran = true</script>`,
  formula: `=HYPERLINK("http://evil.example","click")`,
  rightToLeft: "שלום \u202Egpj.exe",
  emoji: "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  nul: "a\u0000b",
};

test("hostile texts are text in the table, raw, details and exports", async ({ page, signIn }) => {
  await signIn();
  const texts = Object.values(hostile);
  await alterRows(page, (rows) => rows.map((row, index) => ({ ...row, name: texts[index] ?? row["name"] })));
  await openResults(page, katrina);
  for (const [index, text] of texts.entries()) {
    expect(
      await cell(page, index + 1, "name")
        .locator("span")
        .first()
        .textContent(),
    ).toBe(text);
    await cell(page, index + 1, "name").click({ position: { x: 4, y: 4 } });
    const details = page.getByRole("region", { name: "Row details" });
    await expect(details.getByText(`Row ${index + 1} of 25 loaded`)).toBeVisible();
    expect(await details.getByRole("heading", { level: 2 }).textContent()).toBe(text);
  }
  const saved = await exportedRows(page);
  expect(saved.slice(0, texts.length).map((row) => row["name"])).toEqual(texts);
  const { text: csv } = await exportResults(page, "CSV");
  expect(csv).toContain(`,"'=HYPERLINK(""http://evil.example"",""click"")",`);
  expect(csv).toContain(`,"<img src=x onerror=""window.__ran = true""><script>window.__ran = true</script>",`);
  await page.getByText("Raw", { exact: true }).click();
  const raw = page.getByRole("treegrid", { name: "Raw results" });
  await expect(raw).toContainText(JSON.stringify(hostile.markup));
  await expect(raw).toContainText(String.raw`"=HYPERLINK(\"http://evil.example\",\"click\")"`);
  expect(await page.evaluate(() => "__ran" in window)).toBe(false);
  expect(await page.locator("main img[src=x]").count()).toBe(0);
});

test("columns with the names of an object's own machinery are columns like others", async ({ page, signIn }) => {
  await signIn();
  await alterColumns(page, () => []);
  const names = ["__proto__", "constructor", "toString", "<b>bold</b>", "a.b", 'quo"te'];
  await alterRows(page, (rows) =>
    rows.map((row, index) => {
      const entries = names.map((name): [string, CellValue] => [name, `${name} of ${index}`]);
      return Object.fromEntries([...entries, ["name", row["name"] ?? null]]);
    }),
  );
  await openResults(page, katrina);
  expect(await shownColumns(page)).toEqual([...names, "name"]);
  for (const name of names) await expect(cell(page, 2, name)).toHaveText(`${name} of 1`);
  const width = async (name: string) => (await header(page, name).boundingBox())?.width ?? 0;
  for (const name of ["__proto__", "constructor"]) {
    const before = await width(name);
    await header(page, name)
      .getByRole("button", { name: `${name} column menu` })
      .click();
    await expect(page.getByRole("menuitem", { name: "Reset width" })).toBeDisabled();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await header(page, name).focus();
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => width(name)).toBe(before + 16);
  }
  await act(page, "Show Column Visibility");
  await page.getByRole("checkbox", { name: "__proto__", exact: true }).uncheck();
  await expect(header(page, "__proto__")).toHaveCount(0);
  const [, second] = await exportedRows(page);
  expect(Object.entries(second ?? {}).slice(0, 2)).toEqual([
    ["__proto__", "__proto__ of 1"],
    ["constructor", "constructor of 1"],
  ]);
});

test("[RESULT-55] a row's details are headed by its title and subtitle fields; next and previous step through the rows", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 25 });
  // The first row whose status differs from the first's, so that a step is seen.
  const other = rows.findIndex((row) => row["status"] !== rows[0]?.["status"]);
  expect(other).toBeGreaterThan(0);
  await cell(page, 1, "season").click();
  const details = page.getByRole("region", { name: "Row details" });
  await expect(details.getByRole("heading", { level: 2, name: "Katrina", exact: true })).toBeVisible();
  const subtitle = details.locator("header p").first();
  await expect(subtitle).toHaveText(String(rows[0]?.["status"]));
  await expect(details.getByRole("button", { name: "Previous row" })).toBeDisabled();
  for (let step = 0; step < other; step += 1) await details.getByRole("button", { name: "Next row" }).click();
  await expect(details.getByText(`Row ${other + 1} of 25 loaded`)).toBeVisible();
  await expect(subtitle).toHaveText(String(rows[other]?.["status"]));
  await expect(grid(page).locator("[role=row][aria-selected=true]")).toHaveAttribute("aria-rowindex", String(other + 2));
  await details.getByRole("button", { name: "Previous row" }).click();
  await expect(details.getByText(`Row ${other} of 25 loaded`)).toBeVisible();
  await details.getByRole("button", { name: "Close row details" }).click();
  await expect(details).toHaveCount(0);
});

test("a row's details name every column, hidden ones too, and their values whole", async ({ page, signIn }) => {
  await signIn();
  const long = `${"w".repeat(400)}.`;
  await alterRows(page, (rows) => rows.map((row) => ({ ...row, name: long })));
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  await page.getByRole("checkbox", { name: "status", exact: true }).uncheck();
  await cell(page, 1, "season").click();
  const fields = page.getByRole("region", { name: "Row details" }).getByRole("region", { name: "Fields" });
  await expect(fields.locator("dt")).toHaveCount(17);
  await expect(fields.getByText("status", { exact: true })).toBeVisible();
  await expect(fields.getByText(long, { exact: true })).toBeVisible();
});
