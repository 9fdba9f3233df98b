import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Tool } from "@fairway/contract/tools";
import { expect, test } from "../support/fixtures.ts";

test("a tool is downloaded as it was built, and its guide names this portal", async ({ page, signIn }) => {
  await signIn("viewer");
  const listing = page.waitForResponse("**/api/tools");
  await page.goto("/tools?name=pythonclient");
  const python = ((await (await listing).json()) as Tool[]).find(({ name }) => name === "pythonclient");
  const [file] = python?.files ?? [];
  await expect(page.getByRole("heading", { level: 1, name: "Python client" })).toBeVisible();
  await expect(
    page
      .getByRole("group", { name: "example" })
      .filter({ hasText: new URL(page.url()).origin })
      .first(),
  ).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: `Download ${file?.filename}` }).click();
  const download = await downloading;
  const content = await readFile(await download.path());
  expect([download.suggestedFilename(), content.length, createHash("sha256").update(content).digest("hex")]).toEqual([
    file?.filename,
    file?.size,
    file?.sha256,
  ]);
});
