import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axeCore from "axe-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeOptions {
  /** Selectors of the only parts to check; the whole page without them. */
  within?: string[];
  withoutRules?: string[];
}

/**
 * The violations that axe finds once running transitions have ended.
 *
 * Runs axe in the page itself: the portal has no frames, and @axe-core/playwright, which is made for them, sends its source anew
 * and opens a second page for each check, which took five times as long.
 */
export async function axeViolations(
  page: Page,
  { within = [], withoutRules = [] }: AxeOptions = {},
): Promise<axeCore.AxeResults["violations"]> {
  await page.evaluate(async () => {
    // Waits for the next frame, on a stopped clock too.
    await new Promise((resolve) => new ResizeObserver(resolve).observe(document.documentElement));
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(
    async ({ include, disabledRules }) => {
      const { axe } = window as unknown as { axe: typeof axeCore };
      const context: axeCore.ContextObject | Document = include.length === 0 ? document : { include };
      const rules = Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }]));
      return (await axe.run(context, { resultTypes: ["violations"], rules })).violations;
    },
    { include: within.map((selector) => [selector]), disabledRules: withoutRules },
  );
}
