import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { bodyOf, header, katrina, nextSearch, openResults, portalApi } from "../support/results.ts";

const profileCalls = "**/api/datasets/*/*/columns/*/profile";
const profile = (page: Page, column: string) => page.getByRole("dialog", { name: `Profile of ${column}` });

async function openProfile(page: Page, column: string): Promise<void> {
  await header(page, column).hover();
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: `Profile of ${column}` }).click();
  await expect(profile(page, column)).toBeVisible();
}

// Wide enough to show all columns, because columns outside the viewport are not rendered.
test.use({ viewport: { width: 2560, height: 900 } });

test.describe("the profile of a column", () => {
  test("covers the loaded rows immediately and all matching rows on request, and its values can be used as filters", async ({
    page,
    request,
    signIn,
  }) => {
    const api = await portalApi(request);
    const all = await api.rows(katrina, { offset: 0, max: 1_000 });
    const winds = all.map(({ wind }) => Number(wind));
    await signIn();
    await openResults(page, katrina);
    const calls: string[] = [];
    page.on("request", (one) => calls.push(new URL(one.url()).pathname));
    await openProfile(page, "wind");
    const dialog = profile(page, "wind");
    await expect(dialog.getByText("25 loaded rows")).toBeVisible();
    await expect(dialog.getByRole("definition").first()).toHaveText("25");
    expect(calls.filter((path) => path.endsWith("/profile"))).toEqual([]);

    const requested = page.waitForRequest(profileCalls);
    await dialog.getByText("All rows", { exact: true }).click();
    expect(bodyOf(await requested)).toEqual({ filters: [{ name: "name", operator: "=", value: "Katrina" }] });
    await expect(dialog.getByRole("definition")).toHaveText([
      String(all.length),
      "0 (0%)",
      String(new Set(winds).size),
      String(Math.min(...winds)),
      String(Math.max(...winds)),
    ]);
    const steps = await dialog.getByRole("region", { name: "Distribution" }).getByRole("listitem").allTextContents();
    const counted = steps.map((text) => Number(/: ([\d,]+) rows/.exec(text)?.[1]));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(all.length);
    expect(await axeViolations(page)).toEqual([]);

    const searched = nextSearch(page);
    await dialog
      .getByRole("button", { name: /^Leave out wind / })
      .first()
      .click();
    const { filters = [] } = bodyOf(await searched);
    expect(filters.at(-1)).toMatchObject({ name: "wind", operator: "<>" });
    await expect(dialog).toHaveCount(0);
  });
});
