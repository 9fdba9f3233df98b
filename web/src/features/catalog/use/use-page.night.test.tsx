import { datasets } from "@fairway/contract/datasets";
import { tools } from "@fairway/contract/tools";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const heading = page.getByRole("heading", { level: 1, name: "Use storm-tracks elsewhere" });
const programs = page.getByRole("navigation", { name: "Programs" });
const code = () => page.getByRole("main").getByRole("group");

beforeEach(() => {
  gateway.answer(tools.list, [{ display: "Python client", name: "pythonclient", version: "1", description: "", files: [] }]);
});

it("is found in the palette by its own words only, and used by the keyboard", async () => {
  await openScreen("/search");
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await press("Control+k");
  const options = page.getByRole("option", { name: /Use elsewhere/ });
  await expect.element(page.getByRole("option").first()).toBeVisible();
  await expectCount(options, 0);
  const query = page.getByRole("combobox", { name: "Search everything" });
  await query.fill("storm");
  await expect.element(page.getByRole("option", { name: /^storm-tracks/ })).toBeVisible();
  await expectCount(options, 0);
  await query.fill("elsewhere storm");
  await expect.element(options).toBeVisible();
  await press("Enter");
  await expect.element(heading).toBeVisible();
  await expect.element(code().first()).toBeVisible();
  const rProgram = programs.getByRole("link", { name: "R", exact: true });
  (rProgram.element() as HTMLElement).focus();
  await press("Enter");
  await expect.element(code()).toHaveTextContent(/library\(httr2\).*as\.POSIXct/);
  await expect.element(rProgram).toHaveFocus();
});

it("names a dataset that cannot be read, and tries again", async () => {
  gateway.refuse(datasets.describe, "engine-busy", "The query engine is busy.");
  await openScreen(`${address}/use`);
  const main = page.getByRole("main");
  await expect.element(main.getByText("Error loading the dataset.")).toBeVisible();
  await expect.element(main.getByText("The query engine is busy.")).toBeVisible();
  gateway.answer(datasets.describe, demoDataset("storm-tracks").description);
  await main.getByRole("button", { name: "Retry" }).click();
  await expect.element(code().first()).toBeVisible();
});

it("fits desktops and phones without axe violations in both themes", async () => {
  await openScreen(`${address}/use`);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.viewport(width, height);
    for (const program of ["curl", "pandas", "excel"]) {
      await openScreen(`${address}/use?with=${program}`);
      await expect.element(code().first()).toBeVisible();
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      await expectAccessible();
    }
  }
});
