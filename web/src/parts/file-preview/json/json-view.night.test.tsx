import { expect, it } from "vitest";
import { page } from "vitest/browser";
import "#testing/css-locator.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";

const next = () => page.getByRole("button", { name: "Next file" }).click();
const note = () => page.getByRole("note");

it("shows JSON of too many levels or lines as it is written, and reports what is not JSON", async () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const long = `[${"1,".repeat(700_000)}1]`;
  serveFiles({ "deep.json": deep, "long.json": long, "bad.json": '{"open": ' });
  openPreview([previewFile("deep.json", deep.length), previewFile("long.json", long.length), previewFile("bad.json", 9)], {
    isTraversable: true,
  });
  await expect.element(note()).toHaveTextContent("nested more than 200 levels deep");
  await next();
  await expect.element(note()).toHaveTextContent("Shown as written: it would take more than 700,000 lines.");
  await next();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading preview, try again or download the file.");
});
