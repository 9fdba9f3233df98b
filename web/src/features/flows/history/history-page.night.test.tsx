import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress } from "#testing/assertions.ts";
import { serveMainIterations } from "#testing/flows.ts";
import { openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { serveFlow, accepted } from "#testing/flow-histories.ts";

const minuteMs = 60_000;
const address = "/niflow-flows/weather/4";
const list = page.getByRole("navigation", { name: "Accepted iterations" });
const items = list.getByRole("link");
const content = (name: string) => page.getByRole("grid", { name: `Content of ${name}` });
const differences = (before: string, after: string) =>
  page.getByRole("grid", { name: `Differences of ${before} and ${after}`, exact: true });

const newest = () => accepted(3, "Larger batches", { timeMs: Date.now() - 5 * minuteMs - 1_000 });
const middle = accepted(2, "Poll every minute", { timeMs: Date.UTC(2026, 10, 20, 13, 58, 20), acceptedByUsername: "grace" });
const oldest = accepted(1, "First import", { timeMs: Date.UTC(2026, 10, 2) });

it("an accepted iteration and the differences of two can be chosen, and are in the address", async () => {
  serveFlow();
  serveMainIterations([newest(), middle, oldest]);
  await openScreen(address);
  await items.nth(1).click();
  await expectAddress(`${address}?iteration=2`);
  await expect.element(content("Poll every minute, iteration 2")).toHaveTextContent("2 min");
  await page.getByText("Diff", { exact: true }).click();
  await expectAddress(`${address}?iteration=2&against=1`);
  await expect.element(differences("First import, iteration 1", "Poll every minute, iteration 2")).toBeVisible();
  await page.getByRole("combobox", { name: "Compare with" }).selectOptions("Larger batches, iteration 3");
  await expectAddress(`${address}?iteration=2&against=3`);
  const shown = differences("Larger batches, iteration 3", "Poll every minute, iteration 2");
  await expect.element(shown).toHaveTextContent(/3 min/);
  await expect.element(shown).toHaveTextContent(/2 min/);
  await reloadScreen();
  await expect.element(shown).toBeVisible();
  await page.getByText("Single", { exact: true }).click();
  await expectAddress(`${address}?iteration=2`);
  await openScreen(`${address}?iteration=77&against=88`);
  await expect.element(content("Larger batches, iteration 3")).toBeVisible();
});

it("on a phone, the list is above the content", async () => {
  await page.viewport(390, 844);
  serveFlow();
  serveMainIterations([newest(), middle, oldest]);
  await openScreen(`${address}?iteration=2&against=1`);
  await expect.element(differences("First import, iteration 1", "Poll every minute, iteration 2")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  await expectAccessible();
});
