import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axeCore from "axe-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The violations that axe finds once running transitions have ended.
 *
 * axe runs in the page itself. @axe-core/playwright takes five times as long, because it supports frames, which the portal does
 * not have: it opens a second page for each check.
 */
export async function axeViolations(page: Page): Promise<axeCore.AxeResults["violations"]> {
  await page.evaluate(async () => {
    // Waits for the next frame, on a stopped clock too.
    await new Promise((resolve) => new ResizeObserver(resolve).observe(document.documentElement));
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof axeCore };
    return (await axe.run(document, { resultTypes: ["violations"] })).violations;
  });
}
