import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";
import { cell } from "#testing/file-previews.tsx";

it("shows the first of a million columns", async () => {
  const wide = `${"a,".repeat(999_999)}a\n${"1,".repeat(999_999)}1\n`;
  serveFiles({ "wide.csv": wide });
  openPreview([previewFile("wide.csv", wide.length)]);
  await expect.element(page.getByText("1 row, 1,000,000 columns")).toBeVisible();
  await expect.element(page.getByRole("note")).toHaveTextContent("Shows the first 1,000 columns.");
  expect(document.querySelectorAll("[role=cell]").length).toBeLessThan(100);
});

it("brings a found cell wholly into view", async () => {
  const texts = (row: number) => Array.from({ length: 40 }, (_, column) => (row === 50 && column === 30 ? "needle" : "hay")).join();
  const wide = Array.from({ length: 80 }, (_, row) => texts(row)).join("\n");
  serveFiles({ "wide.csv": wide });
  openPreview([previewFile("wide.csv", wide.length)]);
  await expect.element(page.getByText("79 rows, 40 columns")).toBeVisible();
  await page.getByRole("textbox", { name: "Find in file" }).fill("needle");
  await expect.element(cell("needle")).toHaveAttribute("data-current");
  const table = page.getByRole("table").element();
  await expect
    .poll(() => cell("needle").element().getBoundingClientRect().right - table.getBoundingClientRect().left)
    .toBeLessThanOrEqual(table.clientWidth);
});
