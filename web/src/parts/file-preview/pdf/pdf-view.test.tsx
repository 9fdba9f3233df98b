import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press } from "#testing/keyboard.ts";
import { pdfFile } from "#testing/pdf.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const pages = () => page.getByRole("region", { name: "Pages" });
const pageNumber = () => page.getByRole("textbox", { name: "Page number" });
const canvasOf = (number: number) => document.querySelector<HTMLCanvasElement>(`[aria-label="Page ${number}"] canvas`);

it("[PREVIEW-10] shows the pages of a PDF, and draws only those in view", async () => {
  const bytes = await pdfFile(Array.from({ length: 40 }, (_, index) => ({ lines: [`Storm ${index + 1}`] })));
  serveFiles({ "season.pdf": bytes });
  openPreview([previewFile("season.pdf", bytes.length)]);
  await expect.element(page.getByText("Storm 1", { exact: true })).toBeVisible();
  await expect.element(page.getByText("of 40", { exact: true })).toBeVisible();
  await expect.poll(() => canvasOf(1)?.width).toBeGreaterThan(600);
  expect(document.querySelectorAll("canvas").length).toBeLessThan(6);
  await expectAccessible();

  await press("PageDown");
  await expect.element(pageNumber()).toHaveValue("2");
  await pageNumber().fill("40");
  await press("Enter");
  await expect.element(page.getByText("Storm 40", { exact: true })).toBeVisible();
  await expect.element(button("Next page")).toBeDisabled();
  await press("PageUp");
  await expect.element(pageNumber()).toHaveValue("39");
  expect(canvasOf(1)).toBeNull();

  const widthOf = () => page.getByRole("group", { name: "Page 39" }).element().getBoundingClientRect().width;
  const before = widthOf();
  await button("Zoom in").click();
  await expect.poll(widthOf).toBeCloseTo(before * 1.1, 0);
  await expect.element(page.getByText("110%")).toBeVisible();
  await press("-", pages());
  await expect.poll(widthOf).toBeCloseTo(before, 0);
  await button("Fit width").click();
  await expect.poll(widthOf).toBeCloseTo(pages().element().clientWidth - 64, 0);
  await expect.element(pageNumber()).toHaveValue("39");
});

it("opens links of a PDF without access to the portal, follows those to other pages, and leaves out scripts", async () => {
  const annotation = (rect: string, action: string) => `<< /Type /Annot /Subtype /Link /Rect [${rect}] ${action} >>`;
  const entries = `/Annots [${[
    annotation("72 600 200 620", "/A << /S /URI /URI (https://example.org/storms) >>"),
    annotation("72 500 200 520", "/A << /S /URI /URI (javascript:alert\\(1\\)) >>"),
    annotation("72 400 200 420", "/A << /S /JavaScript /JS (app.alert\\(1\\)) >>"),
    annotation("72 300 200 320", "/Dest [6 0 R /Fit]"),
  ].join(" ")}]`;
  const bytes = await pdfFile([{ entries }, {}, { lines: ["Third page"] }]);
  serveFiles({ "links.pdf": bytes });
  openPreview([previewFile("links.pdf", bytes.length)]);
  const link = page.getByRole("region", { name: "Pages" }).getByRole("link");
  await expect.element(link).toHaveAttribute("href", "https://example.org/storms");
  await expect.element(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect.element(link).toHaveAttribute("target", "_blank");
  await page.getByRole("button", { name: "Go to the page of this link" }).click();
  await expect.element(page.getByText("Third page")).toBeVisible();
});
