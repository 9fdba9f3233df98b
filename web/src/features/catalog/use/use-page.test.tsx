import { datasets } from "@fairway/contract/datasets";
import { tools } from "@fairway/contract/tools";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { demoDataset, serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const heading = page.getByRole("heading", { level: 1, name: "Use storm-tracks elsewhere" });
const programs = page.getByRole("navigation", { name: "Programs" });
const code = () => page.getByRole("main").getByRole("group");

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(tools.list, [{ display: "Python client", name: "pythonclient", version: "1", description: "", files: [] }]);
});

it("is opened from the menu of a schema, has an address for each program, and copies code", async () => {
  await openScreen(address);
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Use It Elsewhere" }).click();
  await expect.element(heading).toBeVisible();
  expect(location.pathname).toBe(`${address}/use`);
  await expectTexts(programs.getByRole("link"), ["cURL", "Python with pandas", "Python with polars", "TypeScript", "DuckDB", "R", "Excel"]);
  await expect.element(programs.getByRole("link", { name: "cURL" })).toHaveAttribute("aria-current", "page");
  await expectTexts(page.getByRole("main").getByRole("heading", { level: 2 }), ["The first 1,000 rows", "All rows as a CSV file"]);
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page.getByRole("button", { name: "Copy cURL: The first 1,000 rows" }).click();
  expect(copied.mock.calls[0]?.[0]).toContain(
    `curl --fail-with-body '${location.origin}/api/datasets/Tropical%20weather/storm-tracks/search'`,
  );
  copied.mockRestore();
  await expect.element(page.getByRole("main").getByRole("link", { name: "Create an API key" })).toHaveAttribute("href", "/keys");

  await programs.getByRole("link", { name: "Python with polars" }).click();
  expect(location.search).toBe("?with=polars");
  await expect.element(code().first()).toHaveTextContent(/"Tropical weather\/storm-tracks",.*\.to_polars\(\)/);
  await expect
    .element(page.getByRole("main").getByRole("link", { name: "Python client" }))
    .toHaveAttribute("href", "/tools?name=pythonclient");
  await programs.getByRole("link", { name: "TypeScript" }).click();
  await expect.element(page.getByText(/a client that this portal does not offer/)).toBeVisible();
  await programs.getByRole("link", { name: "Excel" }).click();
  await expect.element(code()).toHaveTextContent(/Key = "PASTE_YOUR_API_KEY".*"storm_id"/);
  await openScreen(`${address}/use?with=duckdb`);
  await expect.element(code()).toHaveTextContent(/duckdb -c 'select "storm_id", count\(\*\) as "rows"/);
  await openScreen(`${address}/use?with=toString`);
  await expect.element(programs.getByRole("link", { name: "cURL" })).toHaveAttribute("aria-current", "page");
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

it("says what a dataset that cannot be exported lacks, and which values are examples", async () => {
  const { description } = demoDataset("storm-tracks");
  gateway.answer(datasets.describe, { ...description, assists: [], timeExtent: null });
  await openScreen(`${address}/use?with=duckdb`);
  await expect.element(page.getByText(/this dataset can't be exported in full/)).toBeVisible();
  await page.getByRole("main").getByText("cURL", { exact: true }).last().click();
  await expectTexts(page.getByRole("main").getByRole("heading", { level: 2 }), ["The first 1,000 rows"]);
  await expect.element(page.getByText("Replace the example value of storm_id.")).toBeVisible();
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
