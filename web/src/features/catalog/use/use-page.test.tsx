import { datasets } from "@fairway/contract/datasets";
import { tools } from "@fairway/contract/tools";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const heading = page.getByRole("heading", { level: 1, name: "Use storm-tracks elsewhere" });
const programs = page.getByRole("navigation", { name: "Programs" });
const code = () => page.getByRole("main").getByRole("group");

beforeEach(() => {
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

it("says what a dataset that cannot be exported lacks, and which values are examples", async () => {
  const { description } = demoDataset("storm-tracks");
  gateway.answer(datasets.describe, { ...description, assists: [], timeExtent: null });
  await openScreen(`${address}/use?with=duckdb`);
  await expect.element(page.getByText(/this dataset can't be exported in full/)).toBeVisible();
  await page.getByRole("main").getByText("cURL", { exact: true }).last().click();
  await expectTexts(page.getByRole("main").getByRole("heading", { level: 2 }), ["The first 1,000 rows"]);
  await expect.element(page.getByText("Replace the example value of storm_id.")).toBeVisible();
});

it("shows code that ranks groups where the dataset has breakdowns", async () => {
  const { description } = demoDataset("storm-tracks");
  gateway.answer(datasets.describe, { ...description, assists: [...description.assists, "BREAKDOWN"] });
  await openScreen(`${address}/use?with=pandas`);
  await expect.element(page.getByRole("heading", { level: 2, name: "The 20 best groups of all, and the total" })).toBeVisible();
  await expect
    .element(code().last())
    .toHaveTextContent(/portal\.summarize\( "Tropical weather\/storm-tracks", "storm_id", \["avg\(.+\)", "count"\], top=20,/);
});
