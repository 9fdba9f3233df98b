import { expect, it } from "vitest";
import { page } from "vitest/browser";
import "#testing/css-locator.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { copied, press } from "#testing/keyboard.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";

const tree = () => page.getByRole("treegrid", { name: "JSON" });
const line = (number: number) => tree().css(`[role=row][aria-rowindex="${number}"]`);
const next = () => page.getByRole("button", { name: "Next file" }).click();

it("[PREVIEW-14] folds, finds and copies JSON whose root is an object or a list, and keeps numbers as they are written", async () => {
  const object = '{"storm":{"id":12345678901234567890,"wind":1.50},"full name":["Katrina"],"none":null}';
  serveFiles({ "a.json": object, "b.json": '[{"wind":150}]', "c.json": '"only a text"' });
  openPreview([previewFile("a.json", object.length), previewFile("b.json", 14), previewFile("c.json", 13)], { isTraversable: true });
  await expect.element(line(3)).toHaveTextContent('"id": 12345678901234567890,');
  await expect.element(line(4)).toHaveTextContent('"wind": 1.50');
  await expect.element(page.getByText("3 entries")).toBeVisible();
  await line(7).hover();
  await line(7).getByRole("button", { name: "Copy path" }).click();
  await expect.poll(copied).toBe('["full name"][0]');
  await page.getByRole("button", { name: "Copy all" }).click();
  await expect.poll(copied).toContain('"id": 12345678901234567890');
  await page.getByRole("button", { name: "Fold line 2" }).click();
  await expect.element(line(2)).toHaveTextContent('"storm": {…}, 2 entries');
  const find = page.getByRole("textbox", { name: "Find in file" });
  await find.fill("1.50");
  await expect.element(page.getByRole("search").getByRole("status")).toHaveTextContent("1 of 1");
  await expect.element(line(4)).toHaveTextContent("1.50");
  await expectAccessible();
  await press("Escape", find);
  await next();
  await expect.element(line(3)).toHaveTextContent('"wind": 150');
  await expect.element(page.getByText("1 item")).toBeVisible();
  await next();
  await expect.element(page.getByText('"only a text"')).toBeVisible();
});
