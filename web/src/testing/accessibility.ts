import axe from "axe-core";
import { expect } from "vitest";

interface AxeOptions {
  readonly within?: readonly string[];
  /** Default: every rule. */
  readonly rules?: readonly string[];
}

/** The violations that axe finds on the page, or only in the elements of these selectors, once running transitions have ended. */
export async function axeViolations({ within, rules }: AxeOptions = {}): Promise<axe.Result[]> {
  const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map((animation) => animation.finished));
  const context = within === undefined ? document : { include: within.map((selector) => [selector]) };
  return (await axe.run(context, { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: [...rules] }) })).violations;
}

/** The themes differ in nothing but colors. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Requires real timers. Expects no violations in both themes, and leaves the page in the light one. */
export async function expectAccessible(options: Pick<AxeOptions, "within"> = {}): Promise<void> {
  const found: string[] = [];
  for (const theme of ["dark", "light"] as const) {
    await showTheme(theme);
    const rules = theme === "dark" ? { rules: colorRules } : {};
    for (const { id, nodes } of await axeViolations({ ...options, ...rules }))
      found.push(`${theme}: ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }
  expect(found).toEqual([]);
}

/** Switches the open screen to a theme, as another tab does, until the next page load. */
export async function showTheme(theme: "light" | "dark"): Promise<void> {
  dispatchEvent(new StorageEvent("storage", { storageArea: localStorage, key: "fairway.theme", newValue: theme }));
  await expect.poll(() => document.documentElement.dataset["mantineColorScheme"]).toBe(theme);
}
