import { type Locator, locators } from "vitest/browser";

declare module "vitest/browser" {
  interface LocatorSelectors {
    /** Finds by CSS selector, for elements without a distinct role or text, such as a cell by row and column. */
    css(selector: string): Locator;
  }
}

locators.extend({ css: (selector: string) => selector });
