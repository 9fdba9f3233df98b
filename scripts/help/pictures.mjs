// @ts-check

/** @typedef {import("@playwright/test").Page} Page */

/** @param {Page} page @param {string} [storm] without it, all of them */
async function searchStorms(page, storm) {
  await page.getByRole("region", { name: "Choose a dataset" }).getByText("storm-tracks", { exact: true }).click();
  if (storm === undefined) await page.getByRole("button", { name: "All data", exact: true }).click();
  else await page.getByRole("textbox", { name: "Storm name", exact: true }).fill(storm);
  await page.getByRole("form").getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("grid").getByRole("gridcell").first().waitFor();
}

/** Until nothing moves, with the mouse where it points at nothing. @param {Page} page */
async function settle(page) {
  await page.mouse.move(720, 8);
  await page.waitForTimeout(3_000);
}

/**
 * Pictures of the documents, by the name of their file in docs/images. Each starts on the screen Datasets.
 * @type {readonly { name: string, prepare: (page: Page) => Promise<unknown> }[]}
 */
export const pictures = [
  {
    name: "results",
    prepare: async (page) => {
      await searchStorms(page, "Katrina");
      await page.getByRole("grid").getByRole("gridcell", { name: "hurricane" }).first().click();
      await page.getByRole("region", { name: "Row details" }).waitFor();
      // The pictures of the columns come last: this is the end of that of the times.
      await page.getByText("08/30/2005", { exact: true }).waitFor();
      await settle(page);
    },
  },
  {
    name: "map",
    prepare: async (page) => {
      await searchStorms(page);
      await page.getByRole("radiogroup", { name: "View" }).getByText("Map", { exact: true }).click();
      await page.getByText("All rows", { exact: true }).click();
      await page.locator("[data-ready=true]").first().waitFor();
      await settle(page);
    },
  },
];
