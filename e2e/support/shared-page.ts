import { type BrowserContextOptions, expect, type Page, test } from "@playwright/test";
import { collectErrors, saveData } from "./fixtures.ts";

/**
 * Defines a journey of several tests, which run in their order on one page: each names the requirements that its part proves.
 * The tests have no `page` of their own.
 */
export function describeJourney(title: string, options: BrowserContextOptions, define: (page: () => Page) => void): void {
  test.describe.serial(title, () => {
    let page: Page | undefined;
    let errors: readonly string[] = [];
    test.beforeAll(async ({ browser }) => {
      const context = await browser.newContext(options);
      await saveData(context);
      page = await context.newPage();
      errors = collectErrors(page);
    });
    test.afterAll(async () => {
      await page?.context().close();
      expect(errors).toEqual([]);
    });
    define(() => {
      if (page === undefined) throw new Error("The page opens before the first test.");
      return page;
    });
  });
}
