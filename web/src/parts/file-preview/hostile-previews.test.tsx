import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";
import { imageSize } from "./media/image-size.ts";

const nestedUses = `<svg xmlns="http://www.w3.org/2000/svg"><rect id="u0" width="1" height="1"/>${Array.from({ length: 8 }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`).join("")}</svg>`;

it("does not draw an SVG that a few kilobytes make into millions of parts", async () => {
  serveFiles({ "bomb.svg": nestedUses });
  openPreview([previewFile("bomb.svg", nestedUses.length)]);
  await page.getByRole("button", { name: "Preview anyway" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The drawing has too many parts to show here.");
  await expect.element(page.getByRole("link", { name: "Download file" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Retry" })).not.toBeInTheDocument();
  expect(page.getByRole("dialog").element().contains(document.activeElement)).toBe(true);
});

it("shows a notebook without its drawings and images that are too large", async () => {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x89_50_4e_47);
  view.setUint32(16, 20_000);
  view.setUint32(20, 20_000);
  const output = (data: object) => ({ output_type: "display_data", data });
  const outputs = [
    output({ "image/png": btoa(String.fromCharCode(...bytes)) }),
    output({ "image/svg+xml": nestedUses }),
    output({ "text/html": "<p>storm</p>".repeat(20_000) }),
  ];
  const text = JSON.stringify({ metadata: {}, cells: [{ cell_type: "code", source: "draw()", outputs }] });
  serveFiles({ "a.ipynb": text });
  openPreview([previewFile("a.ipynb", text.length)]);
  await expect.element(page.getByText("The image has 20,000 × 20,000 pixels, too many to show here.")).toBeVisible();
  await expect.element(page.getByText("The drawing has too many parts to show here.")).toBeVisible();
  await expect.element(page.getByText("The output is too long to show here. Download the file to see it.")).toBeVisible();
  await expect.element(page.getByRole("img")).not.toBeInTheDocument();
});

it("shows a long Markdown file as it is written", async () => {
  const text = "- a\n".repeat(60_000);
  serveFiles({ "long.md": text });
  openPreview([previewFile("long.md", text.length)]);
  await page.getByRole("button", { name: "Preview anyway" }).click();
  await expect.element(page.getByText("Shown as written: it has more than 200,000 characters.")).toBeVisible();
  await expect.element(page.getByText("60,000 lines")).toBeVisible();
});

it("goes by the first frame of a GIF, to which browsers enlarge it", () => {
  const bytes = new Uint8Array(40);
  bytes.set([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0, 0x21, 0xfe, 2, 1, 1, 0, 0x2c, 0, 0, 0, 0, 0x60, 0xea, 0x60, 0xea]);
  expect(imageSize(bytes.buffer)).toEqual({ width: 60_000, height: 60_000 });
});
