import type { APIRequestContext, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { bodyOf, cell, grid, header, katrina, nextSearch, openResults, portalApi, visibleColumns } from "../support/results.ts";

const firstColumns = ["storm_id", "name", "season", "time", "latitude"];
const expectFirst = (page: Page, columns: readonly string[]) =>
  expect.poll(async () => (await visibleColumns(page)).slice(0, columns.length)).toEqual(columns);
const widthOf = async (page: Page, column: string) => (await header(page, column).boundingBox())?.width ?? 0;

test("columns can be sorted by the server, resized, moved and pinned", async ({ page, request }) => {
  // Its columns are its own, as the portal keeps them with the account.
  await signInAsNewAccount(page);
  await openResults(page, katrina);
  await test.step("clicks on a header request that order: ascending, descending, then none", () => sortByLatitude(page, request));
  await test.step("columns are resized by dragging, by double click to fit, and with Shift and arrows", () => resizeName(page));
  await test.step("columns are moved by mouse and with Alt and arrows", () => moveName(page));
  await test.step("a pinned column stays visible while the others scroll, and can be unpinned", () => pinLatitude(page));
});

async function sortByLatitude(page: Page, request: APIRequestContext): Promise<void> {
  const api = await portalApi(request);
  const rows = await api.rows(katrina, { offset: 0, max: 1_000 });
  const ascending = rows.map((row) => Number(row["latitude"])).toSorted((one, other) => one - other);
  const label = header(page, "latitude").getByRole("button").first();

  let requested = nextSearch(page);
  await label.click();
  expect(bodyOf(await requested)).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
    sort: [{ column: "latitude", direction: "asc" }],
  });
  await expect(header(page, "latitude")).toHaveAttribute("aria-sort", "ascending");
  await expectLatitudes(page, ascending.slice(0, 25));

  requested = nextSearch(page);
  await page.getByRole("button", { name: "Load More" }).click();
  expect(bodyOf(await requested)).toMatchObject({ paging: { offset: 25, max: 25 }, sort: [{ column: "latitude", direction: "asc" }] });
  await expectLatitudes(page, ascending.slice(0, 50));

  requested = nextSearch(page);
  await label.click();
  expect(bodyOf(await requested)).toMatchObject({ paging: { offset: 0, max: 25 }, sort: [{ column: "latitude", direction: "desc" }] });
  await expect(header(page, "latitude")).toHaveAttribute("aria-sort", "descending");
  await expectLatitudes(page, ascending.toReversed().slice(0, 25));

  requested = nextSearch(page);
  await label.click();
  expect(bodyOf(await requested).sort).toBeUndefined();
  await expectLatitudes(
    page,
    rows.slice(0, 25).map((row) => Number(row["latitude"])),
  );
  await expect(header(page, "latitude")).not.toHaveAttribute("aria-sort");
}

/** Compares the latitudes of all loaded rows by scrolling through the table. */
async function expectLatitudes(page: Page, expected: readonly number[]): Promise<void> {
  await expect(page.getByText(new RegExp(`^${expected.length} (rows loaded|of 68 rows)$`))).toBeVisible();
  await expect(async () => {
    const read = new Map<number, number>();
    // Less than a screen apart. Rows are 32 px high.
    for (let row = 1; row <= expected.length; row += row === expected.length ? 1 : Math.min(12, expected.length - row)) {
      await grid(page).evaluate((element, to) => element.scrollTo({ top: to }), (row - 1) * 32);
      await expect(cell(page, row, "latitude")).toBeVisible({ timeout: 5_000 });
      const seen = await grid(page)
        .locator("[role=gridcell][data-column=latitude]")
        .evaluateAll((cells) =>
          cells.map((element) => [Number((element as HTMLElement).dataset["row"]), Number(element.textContent)] as const),
        );
      for (const [row, latitude] of seen) read.set(row, latitude);
    }
    expect(Array.from({ length: expected.length }, (_, index) => read.get(index + 1))).toEqual(expected);
  }).toPass();
}

async function resizeName(page: Page): Promise<void> {
  const box = await header(page, "name").boundingBox();
  if (!box) throw new Error("the header of name is not visible");
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
}

async function moveName(page: Page): Promise<void> {
  await expectFirst(page, firstColumns);
  const from = await header(page, "name").boundingBox();
  const to = await header(page, "time").boundingBox();
  if (!from || !to) throw new Error("a header is not visible");
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
}

async function pinLatitude(page: Page): Promise<void> {
  await header(page, "latitude").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByRole("menuitem", { name: "Pin column" }).press("Enter");
  await expectFirst(page, ["latitude", "storm_id"]);
  await grid(page).evaluate((element) => element.scrollTo({ left: 900, top: 0 }));
  await expect(cell(page, 1, "storm_id")).not.toBeInViewport();
  await expect(cell(page, 1, "latitude")).toBeInViewport();
  const left = (await grid(page).boundingBox())?.x ?? -1;
  expect((await cell(page, 1, "latitude").boundingBox())?.x).toBeCloseTo(left, 0);
  await header(page, "latitude").getByRole("button", { name: "latitude column menu" }).click();
  await page.getByRole("menuitem", { name: "Unpin column" }).click();
  await expect(header(page, "latitude").getByLabel("Pinned")).toHaveCount(0);
}
