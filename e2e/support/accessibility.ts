import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

interface Looked {
  /** Selectors of the only parts to look at; the whole page without them. */
  within?: string[];
  withoutRules?: string[];
}

/** What axe finds on a page that has come to rest: colours on their way from one theme to another are nobody's. */
export async function axeViolations(page: Page, { within = [], withoutRules = [] }: Looked = {}) {
  await page.evaluate(async () => {
    // The next picture, on a stopped clock too.
    await new Promise((resolve) => new ResizeObserver(resolve).observe(document.documentElement));
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  const axe = new AxeBuilder({ page }).disableRules(withoutRules);
  for (const part of within) axe.include(part);
  return (await axe.analyze()).violations;
}
