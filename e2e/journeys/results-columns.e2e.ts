import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import {
  act,
  bodyOf,
  cell,
  countries,
  grid,
  header,
  hold,
  katrina,
  nextSearch,
  openResults,
  portalApi,
  searchCalls,
  searchLink,
  shownColumns,
} from "../support/results.ts";

const editor = (page: Page) => page.getByRole("region", { name: "Columns", exact: true });
const firstColumns = ["storm_id", "name", "season", "time", "latitude"];
const expectFirst = (page: Page, columns: readonly string[]) =>
  expect.poll(async () => (await shownColumns(page)).slice(0, columns.length)).toEqual(columns);
const widthOf = async (page: Page, column: string) => (await header(page, column).boundingBox())?.width ?? 0;

test("[RESULT-22][RESULT-41] 'Show Column Visibility' opens the column editor, 'Hide Column Visibility' collapses it", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await expect(editor(page)).toHaveCount(0);
  await act(page, "Show Column Visibility");
  await expect(editor(page).getByRole("checkbox")).toHaveCount(17);
  await act(page, "Hide Column Visibility");
  await expect(editor(page)).toHaveCount(0);
  await act(page, "Show Column Visibility");
  await editor(page).getByRole("button", { name: "Close columns" }).click();
  await expect(editor(page)).toHaveCount(0);
  await expect(grid(page)).toBeVisible();
});

test("[RESULT-19][RESULT-23][RESULT-24][RESULT-25] Select None hides every column and says so, Select All brings them back", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  await expect(editor(page).getByText("17 columns, 0 hidden")).toBeVisible();
  await editor(page).getByRole("button", { name: "Select None" }).click();
  await expect(page.getByText("all columns hidden", { exact: true })).toBeVisible();
  await expect(editor(page).getByText("17 columns, 17 hidden")).toBeVisible();
  await expect(editor(page).getByRole("checkbox", { checked: true })).toHaveCount(0);
  await expect(grid(page)).toHaveCount(0);
  await editor(page).getByRole("button", { name: "Select All" }).click();
  await expect(editor(page).getByText("17 columns, 0 hidden")).toBeVisible();
  await expect(editor(page).getByRole("checkbox", { checked: true })).toHaveCount(17);
  await expect(grid(page)).toHaveAttribute("aria-colcount", "17");
  await expectFirst(page, firstColumns);
});

test("[RESULT-20][RESULT-25][RESULT-26] columns are hidden and shown one by one", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  await editor(page).getByRole("checkbox", { name: "season", exact: true }).uncheck();
  await editor(page).getByRole("checkbox", { name: "storm_id", exact: true }).uncheck();
  await expectFirst(page, ["name", "time", "latitude"]);
  await expect(editor(page).getByText("17 columns, 2 hidden")).toBeVisible();
  await expect(cell(page, 1, "season")).toHaveCount(0);
  await expect(cell(page, 1, "name")).toHaveText("Katrina");
  await editor(page).getByRole("checkbox", { name: "season", exact: true }).check();
  await expectFirst(page, ["name", "season", "time", "latitude"]);
  await expect(editor(page).getByText("17 columns, 1 hidden")).toBeVisible();
});

test("an arrangement of columns is remembered for its dataset, after a reload and in the next search, and for no other", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  await editor(page).getByRole("checkbox", { name: "season", exact: true }).uncheck();
  await header(page, "latitude").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByRole("menuitem", { name: "Pin column" }).click();
  await expectFirst(page, ["latitude", "storm_id", "name", "time"]);
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).filter((value) => String(value).includes('"pinned":["latitude"]')).length))
    .toBe(1);
  await page.reload();
  await expect(cell(page, 1, "name")).toBeVisible();
  await expectFirst(page, ["latitude", "storm_id", "name", "time"]);
  await openResults(page, { ...katrina, filters: [["name", "=", "Wilma"]] });
  await expectFirst(page, ["latitude", "storm_id", "name", "time"]);
  await openResults(page, countries);
  await expectFirst(page, ["country", "region", "year", "population"]);
});

test("a click on a header asks the server for that order: ascending, descending, and none again", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const api = await portalApi(request);
  const rows = await api.rows(katrina, { offset: 0, max: 1_000 });
  const ascending = rows.map((row) => Number(row["latitude"])).toSorted((one, other) => one - other);
  const label = header(page, "latitude").getByRole("button").first();

  let asked = nextSearch(page);
  await label.click();
  expect(bodyOf(await asked)).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
    sort: [{ column: "latitude", direction: "asc" }],
  });
  await expect(header(page, "latitude")).toHaveAttribute("aria-sort", "ascending");
  await expectLatitudes(page, ascending.slice(0, 25));

  asked = nextSearch(page);
  await page.getByRole("button", { name: "Load More" }).click();
  expect(bodyOf(await asked)).toMatchObject({ paging: { offset: 25, max: 25 }, sort: [{ column: "latitude", direction: "asc" }] });
  await expectLatitudes(page, ascending.slice(0, 50));

  asked = nextSearch(page);
  await label.click();
  expect(bodyOf(await asked)).toMatchObject({ paging: { offset: 0, max: 25 }, sort: [{ column: "latitude", direction: "desc" }] });
  await expect(header(page, "latitude")).toHaveAttribute("aria-sort", "descending");
  await expectLatitudes(page, ascending.toReversed().slice(0, 25));

  asked = nextSearch(page);
  await label.click();
  expect(bodyOf(await asked).sort).toBeUndefined();
  await expectLatitudes(
    page,
    rows.slice(0, 25).map((row) => Number(row["latitude"])),
  );
  await expect(header(page, "latitude")).not.toHaveAttribute("aria-sort");
});

/** The latitudes of every loaded row, read by scrolling through the table. */
async function expectLatitudes(page: Page, expected: readonly number[]): Promise<void> {
  await expect(page.getByText(`${expected.length} rows loaded`)).toBeVisible();
  await expect(async () => {
    const read = new Map<number, number>();
    for (const top of [0, 800]) {
      await grid(page).evaluate((element, to) => element.scrollTo({ top: to }), top);
      await expect(cell(page, top === 0 ? 1 : expected.length, "latitude")).toBeVisible({ timeout: 1_000 });
      const seen = await grid(page)
        .locator("[role=gridcell][data-column=latitude]")
        .evaluateAll((cells) => cells.map((one) => [Number((one as HTMLElement).dataset["row"]), Number(one.textContent)] as const));
      for (const [row, latitude] of seen) read.set(row, latitude);
    }
    expect(Array.from({ length: expected.length }, (_, index) => read.get(index + 1))).toEqual(expected);
  }).toPass({ timeout: 15_000 });
}

test("a sort that is cancelled keeps the rows and takes the order back", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const first = await cell(page, 1, "latitude").textContent();
  const release = await hold(page, searchCalls);
  const aborted = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/search"));
  await header(page, "latitude").getByRole("button").first().click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await aborted;
  release();
  await expect(header(page, "latitude")).not.toHaveAttribute("aria-sort");
  await expect(cell(page, 1, "latitude")).toHaveText(first ?? "");
});

test("a column is resized by its edge, to its fitting width by a double click, and by Shift and arrows", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const box = await header(page, "name").boundingBox();
  if (!box) throw new Error("the header of name is not there");
  const edge = { x: box.x + box.width - 2, y: box.y + box.height / 2 };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + 40, edge.y);
  await page.mouse.move(edge.x + 80, edge.y);
  await page.mouse.up();
  await expect.poll(() => widthOf(page, "name")).toBe(box.width + 80);
  expect(await widthOf(page, "season")).toBeGreaterThan(0);
  await expect(header(page, "name")).not.toHaveAttribute("aria-sort");
  await page.mouse.dblclick(edge.x + 80, edge.y);
  await expect.poll(() => widthOf(page, "name")).toBe(box.width);

  await header(page, "name").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => widthOf(page, "name")).toBe(box.width + 32);
  await page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(() => widthOf(page, "name")).toBe(box.width + 16);
});

test("columns are moved by mouse and by Alt and arrows", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await expectFirst(page, firstColumns);
  const from = await header(page, "name").boundingBox();
  const to = await header(page, "time").boundingBox();
  if (!from || !to) throw new Error("a header is not there");
  await page.mouse.move(from.x + 30, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + from.height / 2);
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
  await expectFirst(page, ["storm_id", "season", "time", "name", "latitude"]);
  await expect(header(page, "name")).not.toHaveAttribute("aria-sort");

  await header(page, "name").focus();
  await page.keyboard.press("Alt+ArrowLeft");
  await expectFirst(page, ["storm_id", "season", "name", "time", "latitude"]);
  await expect(header(page, "name")).toBeFocused();
  await page.keyboard.press("Alt+ArrowLeft");
  await expectFirst(page, firstColumns);
});

test("a pinned column stays in sight while the others scroll, and is unpinned again", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await header(page, "latitude").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByRole("menuitem", { name: "Pin column" }).press("Enter");
  await expectFirst(page, ["latitude", "storm_id"]);
  await grid(page).evaluate((element) => element.scrollTo({ left: 900 }));
  await expect(cell(page, 1, "storm_id")).not.toBeInViewport();
  await expect(cell(page, 1, "latitude")).toBeInViewport();
  const left = (await grid(page).boundingBox())?.x ?? -1;
  expect((await cell(page, 1, "latitude").boundingBox())?.x).toBeCloseTo(left, 0);
  await header(page, "latitude").getByRole("button", { name: "latitude column menu" }).click();
  await page.getByRole("menuitem", { name: "Unpin column" }).click();
  await expect(header(page, "latitude").getByLabel("Pinned")).toHaveCount(0);
});

test("the header's menu sorts, hides and filters on its column", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const menu = async (entry: string) => {
    await header(page, "season").getByRole("button", { name: "season column menu" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  let asked = nextSearch(page);
  await menu("Sort descending");
  expect(bodyOf(await asked).sort).toEqual([{ column: "season", direction: "desc" }]);
  asked = nextSearch(page);
  await menu("Filter on season");
  const dialog = page.getByRole("dialog", { name: "Add filter" });
  await dialog.getByLabel("Value").fill("2005");
  await dialog.getByRole("button", { name: "Add filter" }).click();
  expect(bodyOf(await asked).filters).toEqual([
    { name: "name", value: "Katrina", operator: "=" },
    { name: "season", value: 2005, operator: "=" },
  ]);
  await expect(page.getByText("1 – 25 of 32 results", { exact: true })).toBeVisible();
  await menu("Hide column");
  await expect(header(page, "season")).toHaveCount(0);
});

test("arrow keys walk through the table; Enter opens a row's details and Escape leads back", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const { keyboard } = page;
  await header(page, "storm_id").focus();
  await keyboard.press("ArrowDown");
  await expect(cell(page, 1, "storm_id")).toBeFocused();
  await keyboard.press("ArrowRight");
  await expect(cell(page, 1, "name")).toBeFocused();
  await keyboard.press("End");
  await expect(cell(page, 1, "track file")).toBeFocused();
  await expect(cell(page, 1, "track file")).toBeInViewport();
  await keyboard.press("Control+End");
  await expect(cell(page, 25, "track file")).toBeFocused();
  await expect(cell(page, 25, "track file")).toBeInViewport();
  await keyboard.press("Control+Home");
  await expect(cell(page, 1, "storm_id")).toBeFocused();
  await keyboard.press("PageDown");
  await expect.poll(() => page.evaluate(() => Number((document.activeElement as HTMLElement).dataset["row"]))).toBeGreaterThan(10);
  await keyboard.press("Control+ArrowUp");
  await expect(cell(page, 1, "storm_id")).toBeFocused();
  await keyboard.press("ArrowUp");
  await expect(header(page, "storm_id")).toBeFocused();
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("Control+c");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("2005-06");
  await keyboard.press("Enter");
  const details = page.getByRole("region", { name: "Row details" });
  await expect(details.getByRole("heading", { name: "Katrina" })).toBeFocused();
  await keyboard.press("ArrowDown");
  await expect(details.getByText("Row 3 of 25 loaded")).toBeVisible();
  await keyboard.press("Escape");
  await expect(details).toHaveCount(0);
  await expect(cell(page, 3, "storm_id")).toBeFocused();
});

test("the table is one stop of the tab order", async ({ page, signIn }) => {
  await signIn();
  await page.goto(searchLink(katrina));
  await expect(cell(page, 1, "name")).toBeVisible();
  const stops = await grid(page).evaluate((element) => element.querySelectorAll("[tabindex='0']").length);
  expect(stops).toBe(1);
});
