import axe from "axe-core";
import { expect } from "vitest";

/** The violations that axe finds on the page, or only in the elements of these selectors, once running transitions have ended. */
export async function axeViolations({ within }: { within?: readonly string[] } = {}): Promise<axe.Result[]> {
  const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map((animation) => animation.finished));
  const context = within === undefined ? document : { include: within.map((selector) => [selector]) };
  return (await axe.run(context, { resultTypes: ["violations"] })).violations;
}

/** Switches the open screen to a theme, as another tab does, until the next page load. */
export async function showTheme(theme: "light" | "dark"): Promise<void> {
  dispatchEvent(new StorageEvent("storage", { storageArea: localStorage, key: "fairway.theme", newValue: theme }));
  await expect.poll(() => document.documentElement.dataset["mantineColorScheme"]).toBe(theme);
}
