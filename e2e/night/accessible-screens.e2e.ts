import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";

const heading = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });

/** Follows an address without a page load, which would take most of the time. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
  }, address);
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole("main").locator("[aria-busy=true], [role=progressbar]")).toHaveCount(0);
}

/** Findings of axe on the page, each as one line that names the place. */
const problems = async (page: Page, place: string): Promise<string[]> =>
  (await axeViolations(page)).map(({ id, nodes }) => `${place}: ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);

/** The address of a search whose results are open in this mode. */
const searchAddress = (mode: string): string => {
  const search = { c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"]], m: mode };
  return `/search/${crypto.randomUUID()}#1.${Buffer.from(JSON.stringify(search)).toString("base64url")}`;
};

test("axe finds nothing on any screen of the menus", async ({ page, signIn }) => {
  await signIn("admin");
  await page.goto("/search");
  await expect(heading(page)).toBeVisible();
  const addresses = new Set(["/key-settings", "/alert-settings", "/feedback-settings", "/assistants", "/sign-in-methods"]);
  const rail = page.getByRole("navigation").first();
  for (const group of await rail.getByRole("button").or(rail.getByRole("link")).all()) {
    const name = (await group.textContent()) ?? "";
    if (!/^(Search|Docs|Tools|NiFlow|Power)$/.test(name.trim())) continue;
    await group.click();
    const links = page.getByRole("navigation").getByRole("link");
    for (const link of await links.all()) {
      const address = await link.getAttribute("href");
      if (address?.startsWith("/") && !address.startsWith("/external")) addresses.add(address);
    }
  }
  expect(addresses.size).toBeGreaterThan(25);
  const found: string[] = [];
  for (const address of addresses) {
    await follow(page, address);
    found.push(...(await problems(page, address)));
  }
  expect(found).toEqual([]);
});

test("axe finds nothing while menus, lists and panels are open", async ({ page, signIn }) => {
  await signIn("admin");
  await page.goto("/search");
  const found: string[] = [];
  const check = async (place: string) => {
    found.push(...(await problems(page, place)));
    await page.keyboard.press("Escape");
  };
  const press = (name: string | RegExp, within = page.locator("body")) => within.getByRole("button", { name, exact: true }).first().click();
  const menu = page.getByRole("menu");

  // Results.
  await follow(page, searchAddress("table"));
  const grid = page.getByRole("grid");
  await expect(grid.getByRole("gridcell").first()).toBeVisible();
  await grid.getByRole("columnheader", { name: /^status/ }).hover();
  await press("status column menu");
  await expect(menu).toBeVisible();
  await check("menu of a column");
  await press("Actions");
  await expect(menu).toBeVisible();
  await check("actions of results");
  // A busy engine names no values, and the same text is not asked about again for a minute.
  const parts = ["", "r", "a", "o"].values();
  await expect(async () => {
    await page.getByRole("combobox", { name: "Type a filter" }).fill(`status = ${parts.next().value ?? ""}`);
    await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible({ timeout: 20_000 });
  }).toPass();
  await check("suggested filters");
  await page.getByRole("combobox", { name: "Type a filter" }).fill("nothing = A");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").first()).toBeVisible();
  await check("problem of a typed filter");
  await page.getByRole("combobox", { name: "Type a filter" }).fill("");

  await follow(page, searchAddress("map"));
  await expect(page.getByRole("application", { name: "Map of items" })).toHaveAttribute("data-ready", "true");
  await press("Color and size");
  await expect(page.getByRole("combobox", { name: "Color by" })).toBeVisible();
  await check("color and size of a map");
  await press("Export");
  await expect(menu).toBeVisible();
  await check("exports of a map");
  await page.getByRole("grid", { name: "Items" }).getByRole("button", { name: "Katrina" }).first().click();
  await expect(page.getByRole("region", { name: /^Details of/ })).toBeVisible();
  await press("Path layers");
  await check("cards over a map");

  // Lists and their menus.
  await follow(page, "/boards");
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Boards");
  await press("More actions");
  await expect(menu).toBeVisible();
  await check("actions of a board");
  await follow(page, "/data-catalog/Tropical%20weather/storm-tracks");
  await press("More", page.getByRole("main"));
  await expect(menu).toBeVisible();
  await check("menu of a schema");
  await follow(page, "/data-catalog/Tropical%20weather/storm-tracks/use");
  await check("use of a dataset elsewhere");
  await follow(page, "/flowenvironment-settings");
  await press(/^Actions: /);
  await expect(menu).toBeVisible();
  await check("menu of an entity");
  await press("Columns");
  await expect(page.getByRole("dialog")).toBeVisible();
  await check("columns of entities");
  await follow(page, "/niflow-requests");
  await page.getByRole("main").getByRole("row").nth(1).getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Flow Requests");
  await check("a flow request");
  await follow(page, "/notice-settings");
  await press("New");
  await page
    .getByRole("combobox", { name: "Severity" })
    .or(page.getByRole("textbox", { name: "Severity" }))
    .click();
  await expect(page.getByRole("option").first()).toBeVisible();
  await check("a list in a dialog");
  expect(found).toEqual([]);
});
