import { type Locator, locators } from "vitest/browser";

declare module "vitest/browser" {
  interface LocatorSelectors {
    /** By a CSS selector, for what has no role or text of its own, such as a cell by its row and column. */
    css(selector: string): Locator;
  }
}

locators.extend({ css: (selector: string) => selector });
