import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { expect, test } from "../support/fixtures.ts";
import { exportedRows, exportResults } from "../support/results-export.ts";
import { alterRows, cell, katrina, openResults, portalApi, visibleColumns, utcText } from "../support/results.ts";

test("[RESULT-20][RESULT-52][RESULT-54] the table shows the server's values, times in UTC, and joined combined columns", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  const api = await portalApi(request);
  const rows = await api.rows(katrina, { offset: 0, max: 25 });
  const { schema } = await api.describe(katrina);
  const shown = await visibleColumns(page);
  expect(shown.slice(0, 8)).toEqual(schema.columns.slice(0, 8).map(({ name }) => name));
  for (const row of [1, 10]) {
    for (const column of schema.columns.slice(0, 8)) {
      const expected = textOf(column, rows[row - 1]);
      await expect(cell(page, row, column.name).locator("span").first()).toHaveText(expected);
    }
  }
  // One literal value that does not depend on the test's own helper: 1125424800 s is 2 PM in New York.
  await expect(cell(page, 1, "time")).toHaveText("08/30/2005, 06:00:00 PM");
  await expect(cell(page, 1, "position")).toHaveText("37, -87");
});

function textOf({ name, type, combined }: Column, row: ResultRow | undefined): string {
  if (combined) return combined.fields.map((field) => String(row?.[field])).join(combined.joinedBy);
  const value = row?.[name];
  return type === "TIMESTAMP_SECONDS" ? utcText(Number(value) * 1_000) : String(value);
}

const hostile = {
  markup: `<img src=x onerror="window.__ran = true"><script>window.__ran = true</script>`,
  formula: `=HYPERLINK("http://evil.example","click")`,
  rightToLeft: "שלום \u202Egpj.exe",
  emoji: "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  nul: "a\u0000b",
};

test("hostile texts are rendered as text in the table, raw view, details and exports", async ({ page, signIn }) => {
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
